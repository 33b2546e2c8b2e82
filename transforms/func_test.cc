// Functions of functions: against differences, known derivatives, and loops.
#include "switchyard/transforms/func.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/function.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/vmap.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

constexpr auto kSameForAll = std::nullopt;

Tensor Doubles(std::initializer_list<int64_t> sizes) { return randn(sizes, DType::kFloat64); }
bool Close(const Tensor& a, const Tensor& b) {
  return a.sizes().size() == b.sizes().size() && allclose(a, b, 1e-6, 1e-8);
}

class FuncTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_EQ(LiveNodes(), 0); }
};

Tensor Cubes(const Tensor& x) { return sum(mul(mul(x, x), x)); }

// What its derivative says is not what its operators' would be.
struct Rounded : Function {
  static std::vector<Tensor> Forward(FunctionContext&, TensorList x) { return {round(x[0])}; }
  static std::vector<Tensor> Backward(FunctionContext&, TensorList grads) {
    return {mul(grads[0], 2)};
  }
};

TEST_F(FuncTest, FunctionsOfAProgramsOwnKeepTheirDerivative) {
  const auto f = [](const Tensor& x) { return Apply<Rounded>({x})[0]; };
  const auto total = [&](const Tensor& x) { return sum(vmap(f)(x)); };
  const Tensor x = tensor({0.4, 1.2, 2.7}), twos = full({3}, 2.);
  EXPECT_TRUE(equal(func::grad(total)(x), twos));
  EXPECT_TRUE(equal(vmap(func::grad(f))(x), twos));
  EXPECT_TRUE(equal(func::jvp(f, {x}, {ones({3})}).tangents[0], twos));
  EXPECT_TRUE(equal(func::jvp(vmap(f), {x}, {ones({3})}).tangents[0], twos));
}

TEST_F(FuncTest, GradientsOfEachExampleMayBeDifferentiatedFurtherOut) {
  const Tensor x = Doubles({2, 3, 3});
  const auto f = [](const Tensor& a) { return linalg_det(a); };
  const Tensor v = Doubles({2, 3, 3});
  const auto each = [&](const Tensor& a) { return sum(mul(vmap(func::grad(f))(a), v)); };
  const auto all = [&](const Tensor& a) {
    return sum(mul(func::grad([&](const Tensor& b) { return sum(f(b)); })(a), v));
  };
  EXPECT_TRUE(Close(func::grad(each)(x), func::grad(all)(x)));
}

TEST_F(FuncTest, WhatExamplesShareHasGradientsOfOperatorsMadeOfOthers) {
  const Tensor x = Doubles({2, 3}), w = Doubles({3});
  const auto all = [&](const Tensor& v) {
    return sum(vmap([&](const Tensor& row) { return outer(v, row); })(x));
  };
  EXPECT_TRUE(Close(func::grad(all)(w), expand(sum(x), {3})));
}

TEST_F(FuncTest, DetachedExamplesLeadToNothing) {
  const auto f = [](const Tensor& a) { return mul(a, sin(detach(a))); };
  const auto each = [&](const Tensor& a) { return sum(vmap(func::grad(f))(a)); };
  const Tensor x = Doubles({3});
  EXPECT_TRUE(Close(vmap(func::grad(f))(x), sin(x)));
  EXPECT_TRUE(Close(func::grad(each)(x), zeros_like(x)));
}

TEST_F(FuncTest, GradIsOfNumbers) {
  const Tensor x = Doubles({3});
  const Tensor g = func::grad(Cubes)(x);
  EXPECT_TRUE(Close(g, mul(mul(x, x), 3)));
  EXPECT_FALSE(requires_grad(g));
  EXPECT_FALSE(requires_grad(x));
  const auto two = [](const Tensor& a, const Tensor& b) { return sum(mul(a, exp(b))); };
  const std::vector<Tensor> both = func::grad(two, std::vector<int64_t>{1, 0})(x, x);
  EXPECT_TRUE(Close(both[0], mul(x, exp(x))));
  EXPECT_TRUE(Close(both[1], exp(x)));
  EXPECT_TRUE(Close(func::grad(two, -1)(x, x), both[0]));
  const std::vector<Tensor> all = func::grad_and_value(Cubes)(x);
  EXPECT_TRUE(Close(all[0], g));
  EXPECT_TRUE(Close(all[1], Cubes(x)));
  EXPECT_FALSE(requires_grad(all[1]));
}

TEST_F(FuncTest, GradNests) {
  const Tensor x = tensor(2.0, DType::kFloat64);
  const auto f = [](const Tensor& a) { return mul(mul(a, a), mul(a, a)); };
  EXPECT_DOUBLE_EQ(func::grad(func::grad(f))(x).item<double>(), 48);
  EXPECT_DOUBLE_EQ(func::grad(func::grad(func::grad(f)))(x).item<double>(), 48);
  // The inner function's x is a constant to the inner gradient.
  const auto confusing = [](const Tensor& a) {
    return mul(a, func::grad([&](const Tensor& b) { return add(a, b); })(a));
  };
  EXPECT_DOUBLE_EQ(func::grad(confusing)(x).item<double>(), 1);
}

TEST_F(FuncTest, GradOfWhatDoesNotDependIsZero) {
  const Tensor x = Doubles({2});
  EXPECT_TRUE(Close(func::grad([](const Tensor&) { return tensor(1.0); })(x), zeros_like(x)));
}

TEST_F(FuncTest, HistoriesGoThrough) {
  const Tensor w = requires_grad_(Doubles({3})), x = Doubles({3});
  const auto f = [&](const Tensor& a) { return sum(mul(mul(a, a), w)); };
  const Tensor g = func::grad(f)(x);  // 2 x w
  EXPECT_TRUE(requires_grad(g));
  backward(sum(g));
  EXPECT_TRUE(Close(grad_of(w), mul(x, 2)));
  const Tensor of_w = func::grad(Cubes)(w);
  EXPECT_TRUE(Close(grad({{sum(of_w)}}, {{w}})[0], mul(w, 6)));
  const NoGrad off;
  EXPECT_FALSE(requires_grad(func::grad(f)(x)));
}

TEST_F(FuncTest, RefusesWhatCannotBe) {
  const Tensor x = Doubles({3});
  EXPECT_THAT(MessageOf([&] { func::grad([](const Tensor& a) { return mul(a, 2); })(x); }),
              HasSubstr("of no dimensions"));
  EXPECT_THAT(MessageOf([&] {
                func::grad(Cubes)(tensor({1, 2}));
              }),
              HasSubstr("must be floating or complex"));
  EXPECT_THAT(MessageOf([&] { func::grad(Cubes, 1)(x); }), HasSubstr("there is no argument 1"));
  EXPECT_THAT(MessageOf([&] { func::grad(Cubes)(x, x); }),
              HasSubstr("a function of 1 tensors was called with 2"));
  EXPECT_THAT(MessageOf([&] { func::jvp(Cubes, {x}, {Doubles({2})}); }),
              HasSubstr("expected the sizes"));
  EXPECT_THAT(MessageOf([&] { func::vjp(Cubes, {x}).pull(x, x); }),
              HasSubstr("expected 1 cotangents, got 2"));
}

TEST_F(FuncTest, VjpAndJvpAreTransposes) {
  const Tensor x = Doubles({3}), m = Doubles({4, 3});
  const auto f = [&](const Tensor& a) { return tanh(mv(m, a)); };
  const func::Vjp v = func::vjp(f, {x});
  EXPECT_TRUE(Close(v.outputs[0], f(x)));
  const Tensor cotangent = Doubles({4}), tangent = Doubles({3});
  const Tensor pulled = v.pull(cotangent)[0];
  EXPECT_TRUE(Close(v.pull(cotangent)[0], pulled));  // as often as wanted
  const func::Jvp j = func::jvp(f, {x}, {tangent});
  EXPECT_TRUE(Close(dot(pulled, tangent), dot(cotangent, j.tangents[0])));
  EXPECT_FALSE(requires_grad(j.tangents[0]));
}

TEST_F(FuncTest, JvpAgreesWithDifferences) {
  const Tensor a = Doubles({3, 3}), b = add(abs(Doubles({3, 3})), 1), rows = tensor({2, 0});
  struct Case {
    const char* name;
    std::function<Tensor(const Tensor&, const Tensor&)> f;
  };
  const Case cases[] = {
      {"mul", [](const Tensor& x, const Tensor& y) { return mul(x, y); }},
      {"div", [](const Tensor& x, const Tensor& y) { return div(x, y); }},
      {"pow", [](const Tensor& x, const Tensor& y) { return pow(y, x); }},
      {"mm", [](const Tensor& x, const Tensor& y) { return mm(x, y); }},
      {"sigmoid", [](const Tensor& x, const Tensor& y) { return sigmoid(add(x, y)); }},
      {"softmax", [](const Tensor& x, const Tensor& y) { return mul(softmax(x, 1), y); }},
      {"log_softmax", [](const Tensor& x, const Tensor&) { return log_softmax(x, 0); }},
      {"logsumexp", [](const Tensor& x, const Tensor& y) { return logsumexp(mul(x, y), {1}); }},
      {"inverse",
       [](const Tensor& x, const Tensor&) { return linalg_inv(add(x, mul(eye(3), 9))); }},
      {"index", [&](const Tensor& x, const Tensor& y) { return mul(index(x, {rows}), y[0]); }},
      {"cumsum", [](const Tensor& x, const Tensor& y) { return cumsum(mul(x, y), 1); }},
      {"gelu", [](const Tensor& x, const Tensor&) { return gelu(x); }},
      {"var", [](const Tensor& x, const Tensor& y) { return var(mul(x, y), IntSpan{}); }},
      {"cat",
       [](const Tensor& x, const Tensor& y) {
         return cat(std::vector<Tensor>{x, y}, 1);
       }},
  };
  for (const Case& c : cases) {
    const Tensor ta = Doubles({3, 3}), tb = Doubles({3, 3});
    const Tensor got = func::jvp(c.f, {a, b}, {ta, tb}).tangents[0];
    const double h = 1e-6;
    const Tensor up = c.f(add(a, mul(ta, h)), add(b, mul(tb, h)));
    const Tensor down = c.f(sub(a, mul(ta, h)), sub(b, mul(tb, h)));
    EXPECT_TRUE(allclose(got, div(sub(up, down), 2 * h), 1e-5, 1e-6)) << c.name;
  }
}

TEST_F(FuncTest, JvpOfComplexFunctions) {
  const Tensor z = randn({3}, DType::kComplex128), t = randn({3}, DType::kComplex128);
  const auto f = [](const Tensor& x) { return mul(mul(x, x), conj(x)); };  // not holomorphic
  const double h = 1e-6;
  const Tensor expected = div(sub(f(add(z, mul(t, h))), f(sub(z, mul(t, h)))), 2 * h);
  EXPECT_TRUE(allclose(func::jvp(f, {z}, {t}).tangents[0], expected, 1e-5, 1e-6));
}

TEST_F(FuncTest, JacobiansAgreeWithKnownOnes) {
  const Tensor x = Doubles({3}), m = Doubles({4, 3});
  const auto f = [&](const Tensor& a) { return sin(mv(m, a)); };
  const Tensor expected = mul(unsqueeze(cos(mv(m, x)), 1), m);
  EXPECT_TRUE(Close(func::jacrev(f)(x), expected));
  EXPECT_TRUE(Close(func::jacfwd(f)(x), expected));
  EXPECT_TRUE(Close(func::jacrev(f, 0, 3)(x), expected));  // in chunks
  EXPECT_TRUE(Close(func::jacfwd(f, 0, 2)(x), expected));
  const auto g = [](const Tensor& a, const Tensor& b) {
    return std::vector<Tensor>{mul(a, b), sum(mul(a, a))};
  };
  const Tensor y = Doubles({3});
  for (const auto& j : {func::jacrev(g, std::vector<int64_t>{0, 1})(x, y),
                        func::jacfwd(g, std::vector<int64_t>{0, 1})(x, y)}) {
    ASSERT_EQ(j.size(), 4U);
    EXPECT_TRUE(Close(j[0], diag(y)));
    EXPECT_TRUE(Close(j[1], diag(x)));
    EXPECT_TRUE(Close(j[2], mul(x, 2)));
    EXPECT_TRUE(Close(j[3], zeros_like(x)));
  }
}

TEST_F(FuncTest, HessiansAgreeWithKnownOnes) {
  const Tensor x = Doubles({3}), a = Doubles({3, 3});
  const auto quadratic = [&](const Tensor& v) { return dot(v, mv(a, v)); };
  EXPECT_TRUE(Close(func::hessian(quadratic)(x), add(a, t(a))));
  EXPECT_TRUE(Close(func::hessian(Cubes)(x), diag(mul(x, 6))));
  EXPECT_TRUE(Close(func::jacfwd(func::jacrev(Cubes))(x), diag(mul(x, 6))));
  EXPECT_TRUE(Close(func::jacrev(func::jacfwd(Cubes))(x), diag(mul(x, 6))));
  const auto logs = [](const Tensor& x) { return logcumsumexp(x, 0); };
  EXPECT_TRUE(Close(func::jacfwd(logs)(x), func::jacrev(logs)(x)));
  EXPECT_TRUE(Close(func::jacfwd(func::jacfwd(Cubes))(x), diag(mul(x, 6))));
  const Tensor many = Doubles({4, 3});
  EXPECT_TRUE(Close(vmap(func::hessian(Cubes))(many), diag_embed(mul(many, 6))));
}

// --- Gradients of each example by itself.

Tensor MlpLoss(TensorList p) {  // w1, b1, w2, b2, x, target
  const Tensor h = gelu(linear(p[4], p[0], p[1]));
  return cross_entropy_loss(linear(h, p[2], p[3]), p[5]);
}

// Compares vmap of gradients by the first n arguments with a loop over the last two's examples.
template <class F>
void ExpectPerSample(const F& loss, const std::vector<Tensor>& args, size_t n,
                     bool chunks = false) {
  std::vector<int64_t> by;
  VmapDims dims;
  for (size_t i = 0; i < args.size(); ++i) {
    if (i < n) by.push_back(static_cast<int64_t>(i));
    dims.push_back(i + 2 < args.size() ? std::optional<int64_t>() : 0);
  }
  const auto g = func::grad(loss, by);
  VmapOptions options;
  if (chunks) options.chunk_size = 2;
  const std::vector<Tensor> got = vmap(g, dims, {0}, options)(args);
  for (int64_t b = 0; b < args.back().size(0); ++b) {
    std::vector<Tensor> one = args;
    for (size_t i = args.size() - 2; i < args.size(); ++i) one[i] = select(args[i], 0, b);
    const std::vector<Tensor> expected = g(one);
    for (size_t i = 0; i < n; ++i) EXPECT_TRUE(Close(got[i][b], expected[i])) << i << " of " << b;
  }
}

TEST_F(FuncTest, PerSampleGradientsOfANetEqualALoop) {
  ResetVmapFallbacks();
  const std::vector<Tensor> args = {Doubles({8, 5}), Doubles({8}),    Doubles({3, 8}),
                                    Doubles({3}),    Doubles({6, 5}), tensor({0, 2, 1, 1, 0, 2})};
  ExpectPerSample(MlpLoss, args, 4);
  ExpectPerSample(MlpLoss, args, 4, true);
  EXPECT_TRUE(VmapFallbacks().empty()) << VmapFallbacks().begin()->first;
}

TEST_F(FuncTest, PerSampleGradientsOfAConvolutionEqualALoop) {
  ResetVmapFallbacks();
  const auto loss = [](TensorList p) {  // weight, bias, x, target
    const Tensor y = relu(conv2d(p[2], p[0], p[1], {1, 1}, {1, 1}));
    const Tensor pooled = max_pool2d(group_norm(y, 2), {2, 2});
    return mse_loss(flatten(pooled, 1), p[3]);
  };
  const std::vector<Tensor> args = {Doubles({4, 2, 3, 3}), Doubles({4}), Doubles({3, 1, 2, 4, 4}),
                                    Doubles({3, 1, 16})};
  ExpectPerSample(loss, args, 2);
  EXPECT_TRUE(VmapFallbacks().empty()) << VmapFallbacks().begin()->first;
}

TEST_F(FuncTest, PerSampleGradientsOfNormsEqualALoop) {
  const auto loss = [](TensorList p) {  // weight, bias, x, target
    const Tensor y = layer_norm(p[2], {5}, p[0], p[1]);
    return mse_loss(mul(batch_norm(y, p[0], p[1], Tensor(), Tensor(), true, 0.1, 1e-5, false), y),
                    p[3]);
  };
  ExpectPerSample(loss, {Doubles({5}), Doubles({5}), Doubles({3, 4, 5}), Doubles({3, 4, 5})}, 2);
}

TEST_F(FuncTest, GradOfVmapIsThatOfTheBatch) {
  const Tensor w = Doubles({3, 3}), x = Doubles({4, 3});
  const auto f = [&](const Tensor& m) {
    return sum(vmap([&](const Tensor& v) { return sum(sin(mv(m, v))); })(x));
  };
  const auto plain = [&](const Tensor& m) { return sum(sin(mm(x, t(m)))); };
  EXPECT_TRUE(Close(func::grad(f)(w), func::grad(plain)(w)));
  // Three deep: the gradient, by what all examples share, of each example's gradient.
  const auto g = [&](const Tensor& m) {
    const auto inner = func::grad([&](const Tensor& v) { return sum(sin(mv(m, v))); });
    return sum(mul(vmap(inner)(x), x));
  };
  const auto g_plain = [&](const Tensor& m) { return sum(mul(mm(cos(mm(x, t(m))), m), x)); };
  EXPECT_TRUE(Close(func::grad(g)(w), func::grad(g_plain)(w)));
}

TEST_F(FuncTest, WritesInAFunctionAreRecordedForEachExample) {
  const auto f = [](const Tensor& x) {
    const Tensor h = zeros_like(x);
    copy_(select(h, 0, 0), mul(select(x, 0, 1), select(x, 0, 2)));
    add_(narrow(h, 0, 1, 2), narrow(x, 0, 0, 2));
    mul_(h, 2);
    return sum(mul(h, h));
  };
  const Tensor x = Doubles({4, 3});
  const Tensor got = vmap(func::grad(f))(x);
  for (int64_t b = 0; b < 4; ++b) EXPECT_TRUE(Close(got[b], func::grad(f)(x[b]))) << b;
}

struct Net {
  Tensor weight, bias;
  Tensor Loss(const Tensor& x) const { return sum(tanh(linear(x, weight, bias))); }
};
TEST_F(FuncTest, FunctionalCallPutsOtherTensorsInAModel) {
  Net net{Doubles({2, 3}), Doubles({2})};
  const Tensor weight = net.weight, x = Doubles({5, 3});
  const std::vector<Tensor*> parameters = {&net.weight, &net.bias};
  const auto loss = [&](TensorList p) {
    return func::functional_call(parameters, {p.data(), 2}, [&] { return net.Loss(p[2]); });
  };
  const std::vector<Tensor> args = {net.weight, net.bias, x};
  const std::vector<Tensor> each =
      vmap(func::grad(loss, std::vector<int64_t>{0, 1}), {kSameForAll, kSameForAll, 0})(args);
  EXPECT_TRUE(net.weight.is_same(weight));
  EXPECT_TRUE(Close(sum(each[0], 0), func::grad(loss)(args)));
  EXPECT_THROW(func::functional_call(parameters, {&x, 1}, [] { return 0; }), Error);
  EXPECT_TRUE(net.weight.is_same(weight));
}

}  // namespace
}  // namespace sy
