// What is recorded: chains, views, writes, modes, errors; each against differences.
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/gradient.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor A() { return tensor({{0.5, 1.5, -0.7}, {2.0, 0.3, 0.9}}); }
Tensor B() { return tensor({{1.2, 0.4, 0.8}, {0.6, 1.1, 2.2}}); }

using F = std::function<Tensor(TensorList)>;
void Check(const F& f, const std::vector<Tensor>& in) {
  EXPECT_NO_THROW(GradCheckTwice(f, in));
  EXPECT_EQ(LiveNodes(), 0);
}

// The first test: nothing has required a gradient.
TEST(Record, ViewsThatWereMadeBeforeAreFollowed) {
  follow_views();
  const Tensor y = zeros({2, 2}), row = select(y, 0, 1);
  const Tensor x = requires_grad_(tensor({1., 2.}));
  copy_(row, x);
  backward(sum(mul(y, y)));
  EXPECT_TRUE(equal(grad_of(x), tensor({2., 4.})));
}

TEST(Record, Registrations) { EXPECT_EQ(GradientProblems(), std::vector<std::string>()); }

TEST(Record, Chains) {
  Check([](TensorList x) { return add(x[0], x[1], 2); }, {A(), B()});
  Check([](TensorList x) { return mul(x[0], x[1]); }, {A(), tensor({0.3, 0.9, 1.4})});
  Check([](TensorList x) { return sub(x[1], x[0]); }, {A(), tensor({0.3, 0.9, 1.4})});
  Check([](TensorList x) { return add(mul(x[0], x[0]), x[0]); }, {A()});
  Check([](TensorList x) { return exp(mul(sigmoid(x[0]), 2)); }, {A()});
  Check([](TensorList x) { return mul(sum(x[0], {1}, true), sum(x[0], {0})); }, {A()});
  Check([](TensorList x) { return mm(x[0], t(x[1])); }, {A(), B()});
  Check(
      [](TensorList x) {
        return matmul(reshape(x[0], {1, 2, 3}), reshape(x[1], {3, 2}));
      },
      {A(), B()});
  Check([](TensorList x) { return call("mul", call("add", x[0], x[1]).take(), x[0]).take(); },
        {A(), B()});
}

TEST(Record, Writes) {
  Check(
      [](TensorList x) {
        Tensor y = mul(x[0], 2);
        mul_(y, x[1]);
        add_(y, x[0]);
        return mul(y, y);
      },
      {A(), B()});
  Check(
      [](TensorList x) {
        Tensor z = add(exp(x[0]), 1);
        call("mul_", z, z);
        return z;
      },
      {A()});
}

TEST(Record, WritesIntoViews) {
  Check(
      [](TensorList x) {
        Tensor y = zeros({2, 3}, DType::kFloat64);
        copy_(select(y, 0, 1), sum(x[0], {0}));
        copy_(select(y, 0, 0), sum(x[1], {0}));
        return mul(y, y);
      },
      {A(), B()});
  Check(
      [](TensorList x) {
        Tensor y = view(zeros({6}, DType::kFloat64), {2, 3});
        copy_(select(y, 0, 1), sum(x[0], {0}));
        return mul(y, y);
      },
      {A()});
  Check(
      [](TensorList x) {
        Tensor y = mul(x[0], 1.5);
        Tensor v = narrow(y, 1, 0, 2), w = narrow(y, 1, 1, 2);
        mul_(v, narrow(x[1], 1, 0, 2));
        return mul(w, w);
      },
      {A(), B()});
  Check(
      [](TensorList x) {
        Tensor y = mul(x[0], 1.5);
        Tensor v = transpose(y, 0, 1);
        mul_(v, transpose(x[1], 0, 1));
        add_(select(v, 0, 1), 1);
        return mul(y, y);
      },
      {A(), B()});
  Check(
      [](TensorList x) {
        Tensor y = mul(x[0], 1.5);
        Tensor v = narrow(y, 1, 0, 2);
        mul_(y, x[1]);
        return mul(v, v);
      },
      {A(), B()});
  Check(
      [](TensorList x) {
        Tensor y = mul(x[0], 1.5);
        Tensor v = expand(narrow(y, 1, 0, 1), {2, 4});
        mul_(y, x[1]);
        return mul(v, v);
      },
      {A(), B()});
  Check([](TensorList x) { return block_diag(x); }, {A(), B()});
  Check([](TensorList x) { return constant_pad_nd(mul(x[0], x[0]), {1, 2}, 0.5); }, {A()});
}

TEST(Record, LeavesAreNotWritten) {
  Tensor x = requires_grad_(tensor({1., 2., 3.}));
  EXPECT_NE(MessageOf([&] { add_(x, 1); }).find("add_.Scalar(): self is a leaf"), std::string::npos)
      << MessageOf([&] { add_(x, 1); });
  EXPECT_NE(MessageOf([&] { fill_(select(x, 0, 1), 5); }).find("view of a leaf"),
            std::string::npos);
  {
    const NoGrad off;
    add_(x, 1);
    EXPECT_FALSE(requires_grad(mul(x, 2)));
  }
  EXPECT_FALSE(requires_grad(detach(x)));
  EXPECT_THROW(requires_grad_(tensor({1, 2})), Error);
  Tensor out = zeros({3});
  EXPECT_NE(MessageOf([&] { add_out(out, x, x); }).find("out="), std::string::npos);
}

TEST(Record, WrittenSince) {
  Tensor x = requires_grad_(tensor({1., 2.}));
  Tensor y = sigmoid(x);
  add_(y, 1);
  const std::string e = MessageOf([&] { backward(sum(y)); });
  EXPECT_NE(e.find("sigmoid() kept it: it had been written 0 times, now 1"), std::string::npos)
      << e;
  Tensor a = mul(x, 2), z = mul(a, a);
  Tensor d = detach(a);
  fill_(select(d, 0, 1), 7);
  EXPECT_FALSE(requires_grad(d));
  EXPECT_TRUE(requires_grad(a));
  EXPECT_THROW(backward(sum(z)), Error);
}

TEST(Engine, TwiceAndRetained) {
  Tensor x = requires_grad_(tensor({1., 2.}));
  Tensor y = sum(mul(x, x));
  backward(y, {}, {.retain_graph = true});
  backward(y);
  EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 12);
  EXPECT_NE(MessageOf([&] { backward(y); }).find("retain_graph"), std::string::npos);
  zero_grad(x);
  EXPECT_FALSE(grad_of(x).defined());
}

TEST(Engine, Names) {
  Tensor x = requires_grad_(tensor({1., 2.}));
  EXPECT_EQ(grad_fn_name(mul(x, x)), "MulBackward0");
  EXPECT_EQ(ToString(x), "tensor([1., 2.], requires_grad=True)");
  EXPECT_EQ(ToString(mul(x, x)), "tensor([1., 4.], grad_fn=<MulBackward0>)");
}

TEST(Engine, Hooks) {
  Tensor x = requires_grad_(tensor({1., 2.}));
  Tensor y = mul(x, 3);
  retain_grad(y);
  HookHandle h = register_hook(y, [](const Tensor& g) { return mul(g, 10); });
  int after = 0;
  register_post_accumulate_hook(x, [&](const Tensor& leaf) {
    ++after;
    sub_(leaf, grad_of(leaf));
  });
  backward(sum(mul(y, y)));
  EXPECT_EQ(item(sum(grad_of(y))).To<double>(), 180);
  EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 540);
  EXPECT_EQ(after, 1);
  EXPECT_EQ(item(sum(x)).To<double>(), 3 - 540);
}

// Also where what they are views of has no history yet: it would be lost.
TEST(Record, ViewsAsOtherElementsAreNotWritten) {
  const Tensor x = requires_grad_(tensor({1., 2.}));
  for (const bool conjugates : {false, true}) {
    const Tensor z = zeros({2}, DType::kComplex64), view = conjugates ? conj(z) : imag(z);
    EXPECT_NE(ErrorOf([&] { copy_(view, x); }).find("as other elements"), std::string::npos);
    EXPECT_EQ(item(sum(abs(z))).To<double>(), 0);
    copy_(view, detach(x));
    add_(z, x);
    EXPECT_TRUE(requires_grad(z));
  }
}

// Each to the view that it is a view of, and not to the tensor at the end of the chain.
TEST(Record, ViewsOfViewsLeadToViews) {
  const std::vector<std::function<Tensor(const Tensor&)>> views = {
      [](const Tensor& t) { return mT(t); },
      [](const Tensor& t) { return narrow(t, 0, 0, 1); },
      [](const Tensor& t) { return movedim(t, 0, 1); },
      [](const Tensor& t) { return split(t, 1)[0]; },
      [](const Tensor& t) { return chunk(t, 2)[1]; },
      [](const Tensor& t) { return as_strided(t, {2}, {1}); },
      [](const Tensor& t) { return view_as(t, t); },
      [](const Tensor& t) {
        return unflatten(t, 1, {2, 1});
      }};
  for (const auto& view : views) {
    const Tensor x = requires_grad_(tensor({{1., 2.}, {3., 4.}, {5., 6.}}));
    const Tensor y = slice(x, 0, 1), z = view(y), loss = sum(z);
    int seen = 0;
    retain_grad(y);
    register_hook(y, [&](const Tensor& g) {
      ++seen;
      return mul(g, 3);
    });
    const Tensor g = grad({&loss, 1}, {&y, 1}, {}, {.retain_graph = true})[0];
    EXPECT_EQ(item(sum(g)).To<double>(), static_cast<double>(3 * z.numel()));
    zero_grad(y);
    backward(loss);
    EXPECT_EQ(seen, 2);
    EXPECT_EQ(item(sum(grad_of(y))).To<double>(), static_cast<double>(3 * z.numel()));
    EXPECT_EQ(item(sum(grad_of(x))).To<double>(), static_cast<double>(3 * z.numel()));
  }
}

// Written, or once what they are views of was: their part in that would be lost in silence.
TEST(Record, ViewsThatWereMadeUnderNoGradAreNotWritten) {
  const Tensor x = requires_grad_(tensor({1., 2.}));
  const auto unrecorded = [](const Tensor& t) {
    const NoGrad off;
    return slice(t, 0, 0, 2);
  };
  const Tensor y = mul(x, 3), v = unrecorded(y), part = slice(v, 0, 0, 1), plain = zeros({4});
  EXPECT_FALSE(requires_grad(v));
  EXPECT_FALSE(requires_grad(mul(v, 2)));
  for (const Tensor& written : {v, part, unrecorded(slice(y, 0))}) {
    EXPECT_NE(ErrorOf([&] { mul_(written, 2); }).find("mul_.Scalar(): self is a view of"),
              std::string::npos);
    EXPECT_NE(ErrorOf([&] {
                copy_(written, slice(x, 0, 0, written.numel()));
              }).find("made under NoGrad, and cannot be written in place"),
              std::string::npos);
  }
  EXPECT_NE(ErrorOf([&] { mul_(unrecorded(x), 2); }).find("view of a leaf"), std::string::npos);
  const Tensor of_plain = unrecorded(plain);
  mul_(of_plain, 2);  // nothing to record
  EXPECT_THROW(copy_(of_plain, x), Error);
  EXPECT_TRUE(equal(y, tensor({3., 6.})));
  {
    const NoGrad off;
    mul_(v, 2);
  }
  EXPECT_FALSE(requires_grad(mul(v, 2)));
  mul_(y, 2);
  copy_(slice(plain, 0, 0, 2), x);
  for (const Tensor& used : {v, part, of_plain}) {
    EXPECT_NE(ErrorOf([&] { mul(used, 2); }).find("was written in place since"), std::string::npos);
    EXPECT_FALSE(requires_grad(detach(used)));
    const NoGrad off;
    EXPECT_NO_THROW(mul(used, 2));
  }
  EXPECT_EQ(ToString(v), "tensor([12., 24.], grad_fn=<Invalid>)");
}

TEST(Record, ViewsOfWhatBecomesALeafStayConstant) {
  const Tensor y = tensor({{1., 2.}, {3., 4.}}), v = t(y), w = select(v, 0, 0), c = contiguous(v);
  requires_grad_(y);
  for (const Tensor& view : {v, w, slice(v, 0, 0, 1)}) {
    EXPECT_FALSE(requires_grad(view) || requires_grad(mul(view, 2)));
  }
  backward(add(sum(mul(v, y)), sum(mul(w, 5))));
  EXPECT_TRUE(equal(grad_of(y), c));
}

TEST(Record, ViewsMayGetAnotherGeometryUnderNoGrad) {
  const Tensor x = requires_grad_(tensor({{1., 2.}, {3., 4.}})), v = slice(x, 0);
  retain_grad(v);
  {
    const NoGrad off;
    t_(v);
  }
  backward(sum(mul(v, tensor({{1., 10.}, {100., 1000.}}))));
  EXPECT_TRUE(equal(grad_of(x), tensor({{1., 100.}, {10., 1000.}})));
  EXPECT_TRUE(equal(grad_of(v), tensor({{1., 10.}, {100., 1000.}})));
}

TEST(Record, LeavesMayGetOtherSizesUnderNoGrad) {
  const Tensor x = requires_grad_(tensor({{1., 2., 3.}}));
  EXPECT_NE(ErrorOf([&] { squeeze_(x); }).find("self is a leaf"), std::string::npos);
  {
    const NoGrad off;
    squeeze_(x);
  }
  backward(sum(mul(x, x)));
  EXPECT_TRUE(equal(grad_of(x), tensor({2., 4., 6.})));
}

TEST(Engine, RetainedGradientsAddUpAndOutliveWrites) {
  const Tensor x = requires_grad_(tensor({1., 2.})), y = mul(x, 3), v = slice(y, 0, 0, 1);
  retain_grad(y);
  retain_grad(v);
  const Tensor early = sum(mul(y, 2));
  backward(early, {}, {.retain_graph = true});
  backward(early, {}, {.retain_graph = true});
  EXPECT_EQ(item(sum(grad_of(y))).To<double>(), 8);
  mul_(y, 5);
  EXPECT_EQ(item(sum(grad_of(y))).To<double>(), 8);
  backward(sum(y), {}, {.retain_graph = true});
  EXPECT_EQ(item(sum(grad_of(y))).To<double>(), 10);
  mul_(v, 7);
  backward(add(sum(v), sum(y)));
  EXPECT_EQ(item(sum(grad_of(v))).To<double>(), 1);
  EXPECT_EQ(item(sum(grad_of(y))).To<double>(), 13);
}

TEST(Engine, RunsWhatIsWantedAlone) {
  const Tensor x = requires_grad_(tensor({1., 2.})), u = requires_grad_(tensor({3., 4.}));
  const Tensor left = mul(x, x), right = mul(u, u), loss = sum(add(left, right));
  int seen = 0;
  register_hook(right, [&](const Tensor&) {
    ++seen;
    return Tensor();
  });
  EXPECT_EQ(item(sum(grad({&loss, 1}, {&x, 1}, {}, {.retain_graph = true})[0])).To<double>(), 6);
  EXPECT_EQ(seen, 0);
  // What was not run keeps what it needs; sum and add need nothing.
  grad({&loss, 1}, {&x, 1});
  EXPECT_EQ(item(sum(grad({&loss, 1}, {&u, 1})[0])).To<double>(), 14);
  EXPECT_EQ(seen, 1);
  // The formula of what is asked for is not wanted, either.
  Tensor y = sigmoid(x);
  const Tensor z = mul(y, y), total = sum(z);
  add_(y, 1);
  EXPECT_EQ(item(sum(grad({&total, 1}, {&z, 1})[0])).To<double>(), 2);
  const Tensor odd = call("special_zeta", u, u).take(), both = sum(add(mul(x, 2), odd));
  EXPECT_EQ(item(sum(grad({&both, 1}, {&x, 1})[0])).To<double>(), 4);
}

TEST(Engine, InputsThatAreGivenTwiceGatherOnce) {
  const Tensor x = requires_grad_(tensor({1., 2.})), y = mul(x, 3), loss = sum(mul(y, 2));
  const std::vector<Tensor> inputs = {x, y, x, y};
  backward(loss, {}, {.retain_graph = true, .inputs = inputs});
  EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 12);
  EXPECT_EQ(item(sum(grad_of(y))).To<double>(), 4);
  backward(loss, {}, {.inputs = inputs});
  EXPECT_EQ(item(sum(grad_of(y))).To<double>(), 8);
}

TEST(Engine, AComplexOutputWantsAGradient) {
  const Tensor x = requires_grad_(to(tensor({1.}), DType::kComplex64));
  EXPECT_NE(ErrorOf([&] { backward(sum(x)); }).find("which is complex"), std::string::npos);
}

TEST(Engine, ALeafKeepsItsGradientWhileItRequiresNone) {
  const Tensor x = requires_grad_(tensor({1., 2.}));
  backward(sum(mul(x, 2)));
  requires_grad_(x, false);
  EXPECT_FALSE(requires_grad(x) || requires_grad(mul(x, 2)));
  EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 4);
  mul_(x, 2);
  requires_grad_(x);
  backward(sum(mul(x, 3)));
  EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 10);
  call("detach_", x);
  EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 10);
  zero_grad(x);
  EXPECT_FALSE(grad_of(x).defined());
  set_grad(x, tensor({5., 6.}));
  EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 11);
  const Tensor plain = tensor({1., 2.});
  set_grad(plain, tensor({5., 6.}));
  EXPECT_EQ(item(sum(grad_of(plain))).To<double>(), 11);
  EXPECT_FALSE(requires_grad(plain));
}

TEST(Engine, LongChains) {
  {
    Tensor x = requires_grad_(tensor({1.}));
    Tensor y = x;
    for (int i = 0; i < 1000000; ++i) y = mul(y, x);
    EXPECT_EQ(LiveNodes(), 1000001);
    backward(sum(y));
    EXPECT_EQ(item(grad_of(x)).To<double>(), 1000001);
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Engine, Threads) {
  {
    Tensor x = requires_grad_(tensor({1., 2.}));
    Tensor shared = sum(mul(x, x));
    std::vector<std::thread> all;
    all.reserve(4);
    for (int k = 0; k < 4; ++k) {
      all.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          backward(sum(mul(x, 2)));
          backward(shared, {}, {.retain_graph = true});
        }
      });
    }
    for (std::thread& t : all) t.join();
    EXPECT_EQ(item(sum(grad_of(x))).To<double>(), 800 * (4 + 6));
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Engine, Missing) {
  Tensor x = requires_grad_(tensor({1., 2.}));
  Tensor y = call("special_zeta", x, x).take();
  EXPECT_TRUE(requires_grad(y));
  EXPECT_NE(MessageOf([&] { backward(sum(y)); }).find("has no gradient"), std::string::npos);
}

}  // namespace
}  // namespace sy
