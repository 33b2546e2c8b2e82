// Forward mode: against differences, reverse mode, and itself nested.
#include "switchyard/transforms/forward.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/func.h"
#include "switchyard/transforms/vmap.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

Tensor Doubles(std::initializer_list<int64_t> sizes) { return randn(sizes, DType::kFloat64); }
bool Close(const Tensor& a, const Tensor& b) {
  return a.sizes().size() == b.sizes().size() && allclose(a, b, 1e-6, 1e-8);
}

using Function = Tensor (*)(const Tensor& x);

// The derivative of f at x along t, by differences.
Tensor Differences(const TensorFunction& f, const Tensor& x, const Tensor& t) {
  const double h = 1e-6;
  return div(sub(f({{add(x, mul(t, h))}})[0], f({{sub(x, mul(t, h))}})[0]), 2 * h);
}
Tensor Along(const TensorFunction& f, const Tensor& x, const Tensor& t) {
  return func::jvp(f, TensorList(&x, 1), TensorList(&t, 1)).tangents[0];
}
TensorFunction ListOf(std::function<Tensor(const Tensor&)> f) {
  return [f = std::move(f)](TensorList x) { return std::vector<Tensor>{f(x[0])}; };
}

class ForwardTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(LiveNodes(), 0); }
};

TEST_F(ForwardTest, RulesAreRegisteredRightly) {
  EXPECT_EQ(TangentProblems(), std::vector<std::string>{});
  const Tangent wrong{{"no_such"}, {"t"}};
  const Tangent longer{{"neg"}, {"tp"}};
  EXPECT_EQ(TangentProblems().size(), 2U);
}

TEST_F(ForwardTest, ADualTensorCarriesItsTangentThroughOperators) {
  const Tensor x = Doubles({3}), t = Doubles({3});
  const DualLevel level;
  const Tensor d = make_dual(x, t);
  EXPECT_EQ(d.data(), x.data());
  const DualTensor y = unpack_dual(mul(d, d));
  EXPECT_TRUE(Close(y.primal, mul(x, x)));
  EXPECT_TRUE(Close(y.tangent, mul(mul(x, t), 2)));
  EXPECT_FALSE(unpack_dual(mul(x, x)).tangent.defined());
  EXPECT_FALSE(unpack_dual(gt(d, 0)).tangent.defined());
  EXPECT_DOUBLE_EQ(d[0].item<double>(), x[0].item<double>());
  EXPECT_FALSE(requires_grad(d));
}

TEST_F(ForwardTest, RulesAgreeWithDifferences) {
  static const Tensor other = add(abs(Doubles({3, 3})), 0.5), row = Doubles({3});
  struct Case {
    const char* name;
    Function f;
  };
  const Case cases[] = {
      {"add", [](const Tensor& x) { return add(row, x, 2); }},
      {"sub", [](const Tensor& x) { return sub(x, row, 3); }},
      {"numbers", [](const Tensor& x) { return sub(mul(add(x, 1), 2), 3, 2); }},
      {"mul", [](const Tensor& x) { return mul(x, mul(x, other)); }},
      {"div", [](const Tensor& x) { return div(row, add(mul(x, x), 1)); }},
      {"div of both", [](const Tensor& x) { return div(x, add(mul(x, x), 1)); }},
      {"exp and log", [](const Tensor& x) { return log(add(exp(x), other)); }},
      {"sin and cos", [](const Tensor& x) { return mul(sin(x), cos(x)); }},
      {"tanh", [](const Tensor& x) { return tanh(x); }},
      {"sigmoid", [](const Tensor& x) { return sigmoid(x); }},
      {"sqrt", [](const Tensor& x) { return sqrt(add(mul(x, x), 1)); }},
      {"reciprocal", [](const Tensor& x) { return reciprocal(add(mul(x, x), 1)); }},
      {"relu", [](const Tensor& x) { return relu(x); }},
      {"gelu", [](const Tensor& x) { return add(gelu(x), gelu(x, "tanh")); }},
      {"silu", [](const Tensor& x) { return silu(x); }},
      {"softmax", [](const Tensor& x) { return softmax(x, 1); }},
      {"log_softmax", [](const Tensor& x) { return log_softmax(x, 0); }},
      {"mm", [](const Tensor& x) { return mm(x, mm(other, x)); }},
      {"addmm", [](const Tensor& x) { return addmm(x, x, x, 2, 3); }},
      {"where", [](const Tensor& x) { return where(gt(other, 1), x, mul(x, 2)); }},
      {"masked_fill", [](const Tensor& x) { return masked_fill(x, gt(other, 1), 7); }},
      {"cat",
       [](const Tensor& x) {
         return cat(std::vector<Tensor>{x, other, x});
       }},
      {"split", [](const Tensor& x) { return mul(split(x, 2)[0], unbind(x)[1]); }},
      {"views", [](const Tensor& x) { return t(select(unsqueeze(transpose(x, 0, 1), 0), 0, 0)); }},
      {"expand",
       [](const Tensor& x) {
         return mul(expand(select(x, 0, 1), {4, 3}), 2);
       }},
      {"as_strided",
       [](const Tensor& x) {
         return as_strided(mul(x, x), {2, 2}, {3, 2}, 1);
       }},
      {"var", [](const Tensor& x) { return var(x, IntSpan{}); }},
      {"linear", [](const Tensor& x) { return linear(x, x, row); }},
      {"inverse", [](const Tensor& x) { return linalg_inv(add(x, mul(eye(3), 9))); }},
      {"layer_norm", [](const Tensor& x) { return layer_norm(x, {3}, row, row); }},
      {"cumprod", [](const Tensor& x) { return cumprod(x, 1); }},
      {"sort", [](const Tensor& x) { return std::get<0>(sort(x)); }},
      {"convolution",
       [](const Tensor& x) {
         const Tensor w = view(x, {1, 1, 3, 3});
         return conv2d(view(mul(x, x), {1, 1, 3, 3}), w, narrow(select(x, 0, 0), 0, 0, 1), {1, 1},
                       {1, 1});
       }},
  };
  for (const Case& c : cases) {
    const Tensor x = Doubles({3, 3}), t = Doubles({3, 3});
    const TensorFunction f = ListOf(c.f);
    EXPECT_TRUE(allclose(Along(f, x, t), Differences(f, x, t), 1e-5, 1e-6)) << c.name;
  }
}

TEST_F(ForwardTest, WhatIsDetachedHasNoTangent) {
  const Tensor x = Doubles({3}), t = Doubles({3});
  const DualLevel outer;
  const Tensor far = make_dual(x, t);
  const DualLevel inner;
  const Tensor d = make_dual(far, far);
  for (const Tensor& cut : {detach(d), detach_(mul(d, 1))}) {
    const DualTensor y = unpack_dual(mul(d, cut));
    EXPECT_TRUE(Close(unpack_dual(cut).primal, far));
    EXPECT_TRUE(Close(y.tangent, mul(x, x)));
  }
}

// Gradients of what was recorded of dual tensors, along tangents.
TEST_F(ForwardTest, GradientsHaveTangents) {
  const Function functions[] = {
      [](const Tensor& x) { return mean(mul(x, x)); },
      [](const Tensor& x) { return trace(mul(x, x)); },
      [](const Tensor& x) { return sum(mm(x, t(x))); },
      [](const Tensor& x) { return sum(mul(select(x, 0, 1), select(x, 1, 0))); },
      [](const Tensor& x) { return sum(logcumsumexp(mul(x, 400), 0)); },
      [](const Tensor& x) {
        const Tensor plain = zeros({3, 3}, DType::kFloat64);
        copy_(plain, mul(x, x));
        return sum(mul(plain, x));
      },
      [](const Tensor& x) { return linalg_det(x); },
      [](const Tensor& x) { return std::get<1>(linalg_slogdet(x)); },
      [](const Tensor& x) { return sum(linalg_solve(x, t(x))); },
      [](const Tensor& x) { return sum(mul(layer_norm(x, {3}), exp(x))); },
      [](const Tensor& x) {
        const auto of_row = [](const Tensor& r) { return sum(mul(layer_norm(r, {3}), exp(r))); };
        return sum(mul(vmap(func::grad(of_row))(x), sin(x)));
      },
      [](const Tensor& x) {
        const auto of_row = [](const Tensor& r) {
          return sum(mul(group_norm(view(r, {1, 1, 3}), 1), exp(r)));
        };
        return sum(mul(vmap(func::grad(of_row))(x), sin(x)));
      },
  };
  size_t n = 0;
  for (const Function f : functions) {
    const Tensor x = Doubles({3, 3}), along = Doubles({3, 3});
    const TensorFunction gradient = func::grad(f).list();
    EXPECT_TRUE(allclose(Along(gradient, x, along), Differences(gradient, x, along), 1e-4, 1e-6))
        << n;
    ++n;
  }
}

TEST_F(ForwardTest, SumsOfLogarithmsKeepWhatIsFarBelowLaterElements) {
  const TensorFunction f = ListOf([](const Tensor& x) { return logcumsumexp(x, 0); });
  const double none = -std::numeric_limits<double>::infinity();
  const Tensor x = tensor({none, -2000., 0., none}), t = tensor({3., -1., 2., 5.});
  EXPECT_TRUE(equal(Along(f, x, t), tensor({0., -1., 2., 2.})));
}

TEST_F(ForwardTest, WritesOneAfterTheOtherAreRecordedFurtherOut) {
  const TensorFunction f = ListOf([](const Tensor& x) {
    const Tensor y = clone(x);
    mul_(y, 2);
    add_(y, x);
    mul_(y, x);
    sin_(y);
    return y;
  });
  const Tensor x = Doubles({3});
  const auto along = [&](const Tensor& v) { return sum(Along(f, v, ones_like(v))); };
  const Tensor a = mul(x, mul(x, 3));  // sin(3 x²), twice
  const Tensor expected = sub(mul(cos(a), 6), mul(sin(a), mul(mul(x, x), 36)));
  EXPECT_TRUE(Close(func::grad(std::function<Tensor(const Tensor&)>(along))(x), expected));
}

TEST_F(ForwardTest, RotationsTurnTangents) {
  const Tensor x = Doubles({2, 3}), t = Doubles({2, 3});
  EXPECT_TRUE(Close(Along(ListOf([](const Tensor& x) { return rot90(x); }), x, t), rot90(t)));
}

TEST_F(ForwardTest, WritesThatAreDifferentiatedTwiceHaveTangents) {
  const TensorFunction halved = ListOf([](const Tensor& x) {
    const Tensor y = mul(x, x);
    zero_(select(y, 0, 0));
    return y;
  });
  const TensorFunction along = [&](TensorList x) { return func::linearize(halved, x).push(x); };
  const Tensor x = Doubles({2, 2}), t = Doubles({2, 2});
  const Tensor kept = tensor({{0., 0.}, {4., 4.}});
  EXPECT_TRUE(Close(Along(along, x, t), mul(mul(x, t), kept)));
}

TEST_F(ForwardTest, WritesThroughStridesGoToTangents) {
  const auto f = [](const Tensor& x) {
    const Tensor y = mul(x, x);
    mul_(as_strided(y, {2}, {3}, 1), 5);
    return mul(y, x);
  };
  const Tensor x = Doubles({2, 3}), t = Doubles({2, 3});
  EXPECT_TRUE(allclose(Along(ListOf(f), x, t), Differences(ListOf(f), x, t), 1e-5, 1e-6));
}

TEST_F(ForwardTest, ComplexFunctionsAgreeWithDifferences) {
  const Function functions[] = {
      [](const Tensor& z) { return mul(mul(z, z), conj(z)); },
      [](const Tensor& z) { return div(exp(z), add(mul(z, z), 3)); },
      [](const Tensor& z) { return mul(sin(z), sigmoid(z)); },
      [](const Tensor& z) { return abs(z); },
      [](const Tensor& z) { return mul(real(z), imag(z)); },
      [](const Tensor& z) { return view_as_real(mul(z, z)); },
      [](const Tensor& z) {
        return mm(conj(t(view(z, {1, 3}))), view(z, {1, 3}));
      },
  };
  int n = 0;
  for (const Function f : functions) {
    const Tensor z = randn({3}, DType::kComplex128), t = randn({3}, DType::kComplex128);
    EXPECT_TRUE(allclose(Along(ListOf(f), z, t), Differences(ListOf(f), z, t), 1e-5, 1e-6)) << n;
    ++n;
  }
}

TEST_F(ForwardTest, WritesAndViewsGoToPrimalAndTangent) {
  const auto f = [](const Tensor& x) {
    const Tensor h = zeros_like(x);
    copy_(select(h, 0, 0), mul(select(x, 0, 1), select(x, 0, 2)));
    add_(narrow(h, 0, 1, 2), narrow(x, 0, 0, 2), 3);
    mul_(h, x);
    const Tensor plain = zeros({3}, DType::kFloat64);
    add_(plain, h);
    squeeze_(unsqueeze_(plain, 0), 0);
    sigmoid_(plain);
    return mul(plain, h);
  };
  const Tensor x = Doubles({3}), t = Doubles({3}), before = clone(x);
  EXPECT_TRUE(allclose(Along(ListOf(f), x, t), Differences(ListOf(f), x, t), 1e-5, 1e-6));
  EXPECT_TRUE(equal(x, before));
  const auto forgets = [](const Tensor& a) {
    const Tensor y = mul(a, 2);
    zero_(select(y, 0, 1));
    fill_(select(y, 0, 2), 3);
    return y;
  };
  EXPECT_TRUE(Close(Along(ListOf(forgets), x, t), mul(t, tensor({2.0, 0.0, 0.0}))));
}

TEST_F(ForwardTest, LevelsNest) {
  const Tensor x = Doubles({3}), t = Doubles({3}), u = Doubles({3});
  const auto f = [](const Tensor& a) { return mul(mul(a, a), sin(a)); };
  const auto jvp_of = [&](const Tensor& a, const Tensor& along) {
    return Along(ListOf(f), a, along);
  };
  // Second derivatives: forward over forward, and both ways with reverse mode.
  const TensorFunction inner = ListOf([&](const Tensor& a) { return jvp_of(a, t); });
  EXPECT_TRUE(allclose(Along(inner, x, u), Differences(inner, x, u), 1e-5, 1e-6));
  const auto total = [&](const Tensor& a) { return sum(f(a)); };
  const TensorFunction gradient = ListOf([&](const Tensor& a) { return func::grad(total)(a); });
  EXPECT_TRUE(allclose(Along(gradient, x, u), Differences(gradient, x, u), 1e-5, 1e-6));
  const auto of_jvp = [&](const Tensor& a) { return sum(jvp_of(a, t)); };
  EXPECT_TRUE(Close(mul(func::grad(of_jvp)(x), u), mul(Along(inner, x, ones_like(x)), u)));
  // A perturbation is not confused with one further out.
  const auto confusing = ListOf([&](const Tensor& a) {
    return mul(a, Along(ListOf([&](const Tensor& b) { return add(a, b); }), a, ones_like(t)));
  });
  EXPECT_TRUE(Close(Along(confusing, x, ones_like(x)), ones_like(x)));
}

TEST_F(ForwardTest, BatchesAndDualTensorsNest) {
  const Tensor xs = Doubles({4, 3}), ts = Doubles({4, 3}), m = Doubles({3, 3});
  const auto f = [&](const Tensor& a) { return softmax(mul(mv(m, a), sin(a)), 0); };
  const Tensor got =
      vmap([&](const Tensor& a, const Tensor& t) { return Along(ListOf(f), a, t); })(xs, ts);
  const TensorFunction batch = ListOf([&](const Tensor& a) { return vmap(f)(a); });
  const Tensor other = Along(batch, xs, ts);
  for (int64_t b = 0; b < 4; ++b) {
    const Tensor expected = Along(ListOf(f), xs[b], ts[b]);
    EXPECT_TRUE(Close(got[b], expected)) << b;
    EXPECT_TRUE(Close(other[b], expected)) << b;
  }
}

TEST_F(ForwardTest, HistoriesGoThrough) {
  const Tensor w = requires_grad_(Doubles({3})), x = Doubles({3}), t = Doubles({3});
  const Tensor along = Along(ListOf([&](const Tensor& a) { return mul(mul(a, a), w); }), x, t);
  EXPECT_TRUE(requires_grad(along));  // 2 x t w
  backward(sum(along));
  EXPECT_TRUE(Close(grad_of(w), mul(mul(x, t), 2)));
  const NoGrad off;
  EXPECT_FALSE(requires_grad(Along(ListOf([&](const Tensor& a) { return mul(a, w); }), x, t)));
}

TEST_F(ForwardTest, WhatHasARuleIsNotRecorded) {
  ResetDualFallbacks();
  const Tensor x = Doubles({4, 4}), t = Doubles({4, 4});
  Along(ListOf([](const Tensor& a) { return softmax(gelu(addmm(a, a, a)), 1); }), x, t);
  EXPECT_TRUE(DualFallbacks().empty()) << DualFallbacks().begin()->first;
  Along(ListOf([](const Tensor& a) { return lgamma(a); }), x, t);
  EXPECT_EQ(DualFallbacks().at("lgamma"), 1);
}

void Cube(TangentCall& c) { c.Set(0, mul(c.tangent(0), mul(square(c.primal(0)), 30))); }
TEST_F(ForwardTest, ALaterRuleCounts) {
  const Tensor x = Doubles({3}), t = ones_like(x);
  const Tensor before = Along(ListOf([](const Tensor& a) { return tanh(a); }), x, t);
  {
    const Tangent other{{"tanh"}, Cube};
    EXPECT_TRUE(
        Close(Along(ListOf([](const Tensor& a) { return tanh(a); }), x, t), mul(square(x), 30)));
  }
  EXPECT_TRUE(Close(Along(ListOf([](const Tensor& a) { return tanh(a); }), x, t), before));
}

TEST_F(ForwardTest, SaysWhatCannotBe) {
  const Tensor x = Doubles({3});
  EXPECT_THAT(MessageOf([&] { make_dual(x, x); }), HasSubstr("there is no DualLevel"));
  Tensor kept;
  {
    const DualLevel level;
    EXPECT_THAT(MessageOf([&] { make_dual(x, Doubles({2})); }), HasSubstr("expected the sizes"));
    EXPECT_THAT(MessageOf([&] { make_dual(x, ones({3})); }),
                HasSubstr("expected the sizes and dtype"));
    EXPECT_THAT(MessageOf([&] { make_dual(x, Tensor()); }), HasSubstr("undefined"));
    EXPECT_THAT(MessageOf([&] { make_dual(tensor({1}), tensor({1})); }),
                HasSubstr("floating or complex"));
    kept = make_dual(x, x);
    const Tensor out = Doubles({3});
    EXPECT_THAT(MessageOf([&] { mul_out(out, kept, kept); }), HasSubstr("no tangent"));
    EXPECT_THAT(MessageOf([&] { resize_(kept, {2}); }), HasSubstr("other memory"));
    const Tensor plain = Doubles({2, 3});
    EXPECT_THAT(MessageOf([&] { copy_(plain[0], kept); }), HasSubstr("zeros_like"));
  }
  EXPECT_THAT(MessageOf([&] { mul(kept, kept); }), HasSubstr("after its level has ended"));
}

}  // namespace
}  // namespace sy
