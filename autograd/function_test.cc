// Functions of a program's own, checkpoints, and gradients by string.
#include "switchyard/autograd/function.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
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

}  // namespace
}  // namespace sy
