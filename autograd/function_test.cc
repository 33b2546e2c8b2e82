// Functions of a program's own, checkpoints, and gradients by string.
#include "switchyard/autograd/function.h"

#include <gtest/gtest.h>

#include <any>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/saved_tensors.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

struct Cube : Function {
  static std::vector<Tensor> Forward(FunctionContext& c, TensorList x) {
    c.SaveForBackward(x);
    return {mul(x[0], mul(x[0], x[0]))};
  }
  static std::vector<Tensor> Backward(FunctionContext& c, TensorList grads) {
    const Tensor x = c.Saved()[0];
    return {mul(grads[0], mul(mul(x, x), 3))};
  }
};
// Saves its result.
struct Exp : Function {
  static std::vector<Tensor> Forward(FunctionContext& c, TensorList x) {
    std::vector<Tensor> y = {exp(x[0])};
    c.SaveForBackward(y);
    return y;
  }
  static std::vector<Tensor> Backward(FunctionContext& c, TensorList grads) {
    return {mul(grads[0], c.Saved()[0])};
  }
};

Tensor X() { return to(tensor({0.5, -1.5, 0.7}), DType::kFloat64); }
double Sum(const Tensor& t) { return item(sum(t)).To<double>(); }

TEST(Function, Derivatives) {
  const GradFunction cube = [](TensorList x) { return Apply<Cube>({x[0]}); };
  EXPECT_NO_THROW(GradCheck(cube, {X()}));
  EXPECT_NO_THROW(GradGradCheck(cube, {X()}));
  const GradFunction e = [](TensorList x) { return Apply<Exp>({x[0]}); };
  EXPECT_NO_THROW(GradCheck(e, {X()}));
  EXPECT_NO_THROW(GradGradCheck(e, {X()}));
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Function, WhatWasSavedIsFreed) {
  const Tensor x = requires_grad_(X());
  const Tensor y = sum(Apply<Cube>({x}, "Cube")[0]);
  backward(y);
  EXPECT_THROW(backward(y), Error);
  EXPECT_EQ(grad_fn_name(Apply<Cube>({x}, "Cube")[0]), "CubeBackward");
}

// Writes its input.
struct Double : Function {
  static std::vector<Tensor> Forward(FunctionContext& c, TensorList x) {
    mul_(x[0], 2);
    c.MarkDirty(0);
    c.SaveForBackward({&x[0], 1});
    return {x[0]};
  }
  static std::vector<Tensor> Backward(FunctionContext& c, TensorList grads) {
    EXPECT_EQ(c.Saved().size(), size_t{1});
    return {mul(grads[0], 2)};
  }
};

TEST(Function, WhatIsWrittenGoesOnWithTheCall) {
  const Tensor x = requires_grad_(X());
  const Tensor y = mul(x, 1), before = slice(y, 0, 0, 1);
  const Tensor z = Apply<Double>({y}, "Double")[0];
  EXPECT_TRUE(z.is_same(y));
  EXPECT_EQ(grad_fn_name(y), "DoubleBackward");
  backward(add(sum(y), sum(before)));
  EXPECT_TRUE(equal(grad_of(x), to(tensor({4., 2., 2.}), DType::kFloat64)));
  zero_grad(x);
  const Tensor u = mul(x, 1);
  Apply<Double>({slice(u, 0, 0, 2)});
  backward(sum(u));
  EXPECT_TRUE(equal(grad_of(x), to(tensor({2., 2., 1.}), DType::kFloat64)));
  EXPECT_THROW(Apply<Double>({x}), Error);
}

// Returns its input, a view of that, and what it has made with a view of it.
struct Views : Function {
  static std::vector<Tensor> Forward(FunctionContext& c, TensorList x) {
    const Tensor made = mul(x[0], 2);
    c.MarkNonDifferentiable(4);
    return {x[0], slice(x[0], 0, 0, 2), slice(made, 0, 0, 1), made, x[0]};
  }
  static std::vector<Tensor> Backward(FunctionContext&, TensorList grads) {
    Tensor g = zeros({3}, DType::kFloat64);
    if (grads[0].defined()) add_(g, mul(grads[0], 10));
    if (grads[1].defined()) add_(slice(g, 0, 0, 2), mul(grads[1], 100));
    if (grads[2].defined()) add_(slice(g, 0, 0, 1), mul(grads[2], 1000));
    if (grads[3].defined()) add_(g, mul(grads[3], 10000));
    return {g};
  }
};

// A write through one would pass over Backward, and so would what follows a write to its base.
TEST(Function, ResultsThatAreViewsAreNotWritten) {
  const Tensor x = requires_grad_(X());
  const auto is_refused = [](const std::function<void()>& f, const char* why) {
    return ErrorOf(f).find(why) != std::string::npos;
  };
  for (const int which : {0, 1, 2}) {
    const Tensor y = mul(x, 1);
    const std::vector<Tensor> out = Apply<Views>({y}, "Views");
    EXPECT_FALSE(out[0].is_same(y));
    EXPECT_FALSE(requires_grad(out[4]));
    const Tensor v = out[static_cast<size_t>(which)], w = slice(v, 0, 0, 1);
    EXPECT_EQ(grad_fn_name(v), "ViewsBackward");
    zero_grad(x);
    backward(sum(v), {}, {.retain_graph = true});
    EXPECT_DOUBLE_EQ(Sum(grad_of(x)), which == 0 ? 30 : which == 1 ? 200 : 1000);
    for (const Tensor& written : {v, w}) {
      EXPECT_TRUE(is_refused([&] { mul_(written, 2); }, "a result of a Function"));
      const NoGrad off;
      EXPECT_NO_THROW(mul_(written, 1));
    }
    mul_(which == 2 ? out[3] : y, 2);
    EXPECT_TRUE(is_refused([&] { mul(v, 2); }, "was written in place since"));
    EXPECT_TRUE(is_refused([&] { mul(w, 2); }, "was written in place since"));
  }
  const NoGrad off;
  const Tensor same = Apply<Views>({x})[0];
  EXPECT_FALSE(same.is_same(x) || requires_grad(same));
}

// Keeps its result.
struct Exponential : Function {
  static std::vector<Tensor> Forward(FunctionContext& c, TensorList x) {
    const Tensor y = exp(x[0]);
    c.SaveForBackward({&y, 1});
    return {y};
  }
  static std::vector<Tensor> Backward(FunctionContext& c, TensorList grads) {
    return {mul(grads[0], c.Saved()[0])};
  }
};

TEST(Function, SecondDerivativesPassThroughResultsThatHooksHavePacked) {
  const Tensor x = requires_grad_(X());
  const SavedTensorHooks hooks([](const Tensor& t) -> std::any { return clone(t); },
                               [](const std::any& t) { return std::any_cast<Tensor>(t); });
  const Tensor y = Apply<Exponential>({x})[0];
  const Tensor first = grad({{sum(y)}}, {{x}}, {}, {.create_graph = true})[0];
  EXPECT_TRUE(allclose(grad({{sum(first)}}, {{x}})[0], exp(x)));
}

struct Keepless : Function {
  static std::vector<Tensor> Forward(FunctionContext&, TensorList x) { return {mul(x[0], 2)}; }
  static std::vector<Tensor> Backward(FunctionContext&, TensorList grads) {
    return {mul(grads[0], 2)};
  }
};

TEST(Function, WhatKeepsNothingRunsBackwardAgain) {
  const Tensor x = requires_grad_(X()), y = sum(Apply<Keepless>({x})[0]);
  backward(y);
  backward(y);
  EXPECT_DOUBLE_EQ(Sum(grad_of(x)), 12);
}

TEST(Function, ViewsThatWereMadeUnderNoGradAreNotWritten) {
  const Tensor x = requires_grad_(X()), y = mul(x, 1);
  Tensor v;
  {
    const NoGrad off;
    v = slice(y, 0, 0, 2);
  }
  EXPECT_NE(ErrorOf([&] { Apply<Double>({v}, "Double"); }).find("made under NoGrad"),
            std::string::npos);
}

TEST(Checkpoint, RunsAgain) {
  int runs = 0;
  const Tensor x = requires_grad_(X()), w = requires_grad_(X());
  const auto f = [&](TensorList in) {
    ++runs;
    return std::vector<Tensor>{mul(exp(in[0]), w)};
  };
  backward(sum(checkpoint(f, {x})[0]));
  EXPECT_EQ(runs, 2);
  EXPECT_DOUBLE_EQ(Sum(grad_of(x)), Sum(mul(exp(x), w)));
  EXPECT_DOUBLE_EQ(Sum(grad_of(w)), Sum(exp(x)));
}

TEST(Anomaly, NamesWhatGaveNan) {
  const Tensor x = requires_grad_(tensor({0., 1.}));
  const auto run = [&] { backward(sum(mul(mul(x, 0), std::numeric_limits<double>::infinity()))); };
  EXPECT_NO_THROW(run());
  const Anomaly on;
  try {
    run();
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("backward of MulBackward0 gave nan"), std::string::npos);
  }
}

TEST(ByName, LeavesAndBackward) {
  {
    const Tensor x = X();
    call("requires_grad_", x);
    EXPECT_TRUE(requires_grad(x));
    const Tensor y = mul(x, x);
    call("retain_grad", y);
    EXPECT_FALSE(call("is_leaf", y).scalar().To<bool>());
    call("_backward", sum(y), std::vector<Tensor>{});
    EXPECT_DOUBLE_EQ(Sum(grad_of(x)), 2 * Sum(x));
    EXPECT_DOUBLE_EQ(Sum(grad_of(y)), 3);
    EXPECT_THROW(call("resize_", x, std::vector<int64_t>{5}), Error);
    const Tensor z = mul(x, 2);
    detach_(z);
    EXPECT_FALSE(requires_grad(z));
    EXPECT_THROW(detach_(view(mul(x, 2), {3, 1})), Error);
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Checkpoint, DrawsTheSameNumbersAgain) {
  const Tensor weight = tensor({1., 2., 3., 4.});
  const auto f = [](TensorList x) { return std::vector<Tensor>{mul(x[0], rand_like(x[0]))}; };
  manual_seed(3);
  Tensor a = requires_grad_(clone(weight));
  backward(sum(f({&a, 1})[0]));
  const Tensor after = rand({1});
  manual_seed(3);
  Tensor b = requires_grad_(clone(weight));
  Tensor y = checkpoint(f, {b})[0];
  const Tensor between = rand({1});
  const Tensor state = get_rng_state();
  backward(sum(y));
  EXPECT_TRUE(equal(grad_of(a), grad_of(b)));
  EXPECT_TRUE(equal(after, between));
  EXPECT_TRUE(equal(get_rng_state(), state));  // as if nothing had been drawn
}

TEST(SavedTensors, ArePackedAndUnpacked) {
  int packed = 0, unpacked = 0;
  {
    Tensor x = requires_grad_(tensor({1., 2.})), y = requires_grad_(tensor({3., 5.}));
    Tensor z;
    {
      const SavedTensorHooks hooks(
          [&](const Tensor& t) -> std::any {
            EXPECT_FALSE(is_grad_enabled());
            ++packed;
            return mul(t, 2);
          },
          [&](const std::any& t) {
            ++unpacked;
            return mul(std::any_cast<const Tensor&>(t), 0.5);
          });
      z = sigmoid(mul(x, y));
    }
    EXPECT_EQ(packed, 3);
    EXPECT_EQ(unpacked, 0);
    Tensor plain_x = requires_grad_(clone(detach(x))), plain_y = requires_grad_(clone(detach(y)));
    backward(sum(sigmoid(mul(plain_x, plain_y))));
    EXPECT_EQ(packed, 3);
    const std::vector<Tensor> first = grad(std::vector<Tensor>{sum(z)}, std::vector<Tensor>{x, y},
                                           TensorList(), {.create_graph = true});
    EXPECT_EQ(unpacked, 3);
    EXPECT_TRUE(allclose(first[0], grad_of(plain_x)));
    backward(sum(first[0]));  // gradients of gradients reach what was packed
    EXPECT_TRUE(grad_of(y).defined());
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(SavedTensors, TheInnermostHooksAreAsked) {
  int outer = 0, inner = 0;
  const auto count = [](int& n) {
    return [&n](const Tensor& t) -> std::any {
      ++n;
      return t;
    };
  };
  const auto same = [](const std::any& t) { return std::any_cast<const Tensor&>(t); };
  Tensor x = requires_grad_(tensor({1., 2.}));
  const SavedTensorHooks a(count(outer), same);
  {
    const SavedTensorHooks b(count(inner), same);
    exp(x);
  }
  EXPECT_EQ(outer, 0);
  EXPECT_EQ(inner, 1);
  exp(x);
  EXPECT_EQ(outer, 1);
}

TEST(SavedTensors, WritesAfterwardsDoNotReachCopiesOnTheHost) {
  Tensor x = requires_grad_(tensor({1., 2.})), y = tensor({3., 5.});
  Tensor z;
  {
    const SavedOnHost hooks;
    z = mul(x, y);
  }
  fill_(y, 0);
  backward(sum(z));
  EXPECT_TRUE(equal(grad_of(x), tensor({3., 5.})));
}

TEST(SavedTensors, WhatHooksThrowLeaves) {
  Tensor x = requires_grad_(tensor({1., 2.}));
  {
    const SavedTensorHooks hooks(
        [](const Tensor&) -> std::any { throw std::runtime_error("full"); },
        [](const std::any&) { return Tensor(); });
    EXPECT_THROW(exp(x), std::runtime_error);
  }
  Tensor y;
  {
    const SavedTensorHooks hooks([](const Tensor&) { return std::any(); },
                                 [](const std::any&) { return Tensor(); });
    y = exp(x);
  }
  try {
    backward(sum(y));
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("backward of ExpBackward0: unpacking gave an undefined tensor"),
              std::string::npos)
        << e.message();
  }
}

TEST(ByName, SparseTensorsAreAsked) {
  const Tensor x = tensor({{0., 3.}, {4., 0.}});
  const Tensor s = to_sparse(x);
  call("requires_grad_", s);
  EXPECT_TRUE(call("is_leaf", s).scalar().To<bool>());
  call("_backward", sum(mul(s, s)), std::vector<Tensor>{});
  EXPECT_TRUE(equal(to_dense(grad_of(s)), mul(x, 2)));
  const Tensor y = mul(s, 2);
  EXPECT_FALSE(call("is_leaf", y).scalar().To<bool>());
  EXPECT_FALSE(call("retains_grad", y).scalar().To<bool>());
  call("retain_grad", y);
  EXPECT_TRUE(call("retains_grad", y).scalar().To<bool>());
  EXPECT_FALSE(requires_grad(call("data", y)));
}

}  // namespace
}  // namespace sy
