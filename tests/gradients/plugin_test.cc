// Gradients that plugins give by naming operators.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/plugin/testing.h"
#include "switchyard/registry/derivative.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

class PluginGradientTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin(PluginPath("gradient")); }
  void TearDown() override { EXPECT_EQ(unload_plugin("gradient").text, "unloaded"); }
};

TEST_F(PluginGradientTest, IsComputedByTheNamedOperator) {
  Tensor x = requires_grad_(tensor({1., 2.}));
  Tensor y = call("gradient::scale", x, 3.);
  EXPECT_TRUE(requires_grad(y));
  backward(sum(mul(y, y)));
  EXPECT_TRUE(equal(grad_of(x), tensor({18., 36.})));
}

TEST_F(PluginGradientTest, AgreesWithDifferencesOnceAndTwice) {
  const Tensor x = tensor({0.5, 2.}), y = tensor({-1., 3.});
  GradCheckTwice([](TensorList t) { return mul(Tensor(call("gradient::scale", t[0], 3.)), t[0]); },
                 {x});
  GradCheck([](TensorList t) { return std::vector<Tensor>{call("gradient::root", t[0])}; }, {x});
  GradCheck(
      [](TensorList t) {
        Results r = call("gradient::join", t[0], t[1]);
        return std::vector<Tensor>{r[0].tensor(), r[1].tensor()};
      },
      {x, y});
}

TEST_F(PluginGradientTest, ResultsThatGotNoneAreNone) {
  for (const int k : {0, 1}) {
    Tensor x = requires_grad_(tensor({0.5, 2.})), y = tensor({-1., 3.});
    backward(sum(call("gradient::join", x, y)[k].tensor()));
    EXPECT_TRUE(equal(grad_of(x), k == 0 ? y : tensor({1., 1.})));
  }
}

TEST_F(PluginGradientTest, InPlaceFormsShareIt) {
  Tensor x = requires_grad_(tensor({1., 4.}));
  Tensor y = mul(x, 1);
  call("gradient::root_", y);
  call("gradient::scale_", y, 3.);
  backward(sum(y));
  EXPECT_TRUE(equal(grad_of(x), tensor({1.5, .75})));
}

TEST_F(PluginGradientTest, WhatHasNoneRefuses) {
  Tensor x = requires_grad_(tensor({1., 4.}));
  Tensor y = call("gradient::none", x);
  try {
    backward(sum(y));
    FAIL();
  } catch (const Error& e) {
    EXPECT_THAT(e.message(), HasSubstr("gradient::none(): has no gradient"));
  }
}

TEST(PluginGradient, GoesWithThePlugin) {
  for (int i = 0; i < 2; ++i) {
    load_plugin(PluginPath("gradient"));
    EXPECT_EQ(FindDerivative("gradient::scale"), "gradient::scale_backward");
    Tensor x = requires_grad_(tensor({1., 2.}));
    Tensor y = call("gradient::scale", x, 3.);
    EXPECT_EQ(unload_plugin("gradient").text, "unloaded");
    EXPECT_EQ(FindDerivative("gradient::scale"), "");
    try {
      backward(sum(y));
      FAIL();
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::kNotFound) << e.message();
    }
  }
}

TEST(PluginGradient, OfAnOperatorThatIsNotThereRefusesThePlugin) {
  try {
    load_plugin(PluginPath("gradient_wrong"));
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kRegistration);
    EXPECT_THAT(e.message(), HasSubstr("the gradient of gradient::scale: there is no operator "
                                       "'gradient::nosuch'"));
  }
  EXPECT_EQ(FindDerivative("gradient::scale"), "");
}

TEST(Derivative, MatchesByNames) {
  const Schema op = ParseSchema("a(Tensor x, float by, Tensor? w=None) -> (Tensor, Tensor)");
  const auto problem = [&](const char* by) {
    DerivativeMatch m;
    return MatchDerivative(op, ParseSchema(by), &m);
  };
  EXPECT_EQ(problem("b(Tensor grad_0, Tensor grad_1, Tensor result_1, float by) -> Tensor"), "");
  EXPECT_EQ(problem("b(Tensor grad, Tensor? w, int more=1) -> (Tensor x, Tensor w)"), "");
  EXPECT_THAT(problem("b(Tensor grad_2) -> Tensor"), HasSubstr("nothing is named 'grad_2'"));
  EXPECT_THAT(problem("b(Tensor grad, int by) -> Tensor"),
              HasSubstr("argument 'by' is int, expected float"));
  EXPECT_THAT(problem("b(Tensor[] grad) -> Tensor"), HasSubstr("expected tensors"));
  EXPECT_THAT(problem("b(Tensor grad) -> (Tensor y, Tensor x)"),
              HasSubstr("result 'y' is the name of no tensor argument"));
  EXPECT_THAT(problem("b(Tensor grad) -> ()"), HasSubstr("it has no results"));
}

}  // namespace
}  // namespace sy
