// Operators of plugins that have a rule: what it states is what they do, in every variant.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

class RuleTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin(PluginPath("rules")); }
  void TearDown() override { EXPECT_EQ(unload_plugin("rules").text, "unloaded"); }
  static Tensor Run(const char* op, auto... a) { return call(op, a...).tensor(); }
};

Tensor Ones(std::initializer_list<int64_t> sizes, DType dtype = DType::kFloat32) {
  const Tensor t = Tensor::Empty(sizes, dtype);
  call("fill_", t, 1);
  return t;
}

TEST_F(RuleTest, PointwiseOutputsLieAsTheirOperands) {
  const Tensor x = call("t", Ones({2, 3})).tensor();
  const Tensor y = Run("rules::scale", x, 3.);
  EXPECT_EQ(y.strides(), x.strides());
  EXPECT_EQ(y.at<float>(2, 1), 3);
}

TEST_F(RuleTest, InPlaceWritesStraight) {
  const Tensor x = Ones({4});
  const void* data = x.data();
  call("rules::scale_", x, 2.5);
  EXPECT_EQ(x.data(), data);
  EXPECT_EQ(x.at<float>(3), 2.5f);
}

TEST_F(RuleTest, OutIsResizedAndConverted) {
  const Tensor out = Tensor::Empty({0}, DType::kFloat64);
  call("rules::scale.out", Ones({2, 2}), 4., out);
  EXPECT_EQ(out.sizes(), IntSpan({2, 2}));
  EXPECT_EQ(out.at<double>(1, 1), 4);
}

TEST_F(RuleTest, WhatOverlapsInAPointwiseOperatorIsAnError) {
  const Tensor x = Ones({5});
  const Outcome o =
      try_call("rules::scale.out", x.AsStrided({4}, {1}, 0), 2., x.AsStrided({4}, {1}, 1));
  EXPECT_EQ(o.code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(o.message, HasSubstr("rules::scale.out"));
}

TEST_F(RuleTest, OperandsBroadcastAndPromote) {
  const Tensor y = Run("rules::add", Ones({2, 1}), Ones({3}, DType::kFloat64));
  EXPECT_EQ(y.dtype(), DType::kFloat64);
  EXPECT_EQ(y.sizes(), IntSpan({2, 3}));
  EXPECT_EQ(y.at<double>(1, 2), 2);
}

TEST_F(RuleTest, ComparisonsComputeInTheOperandsDType) {
  const Tensor y = Run("rules::less", Ones({2}, DType::kInt64), tensor({0.5, 1.5}));
  EXPECT_EQ(y.dtype(), DType::kBool);
  EXPECT_FALSE(y.at<bool>(0));
  EXPECT_TRUE(y.at<bool>(1));
}

TEST_F(RuleTest, ARuleFindsTheKernelWhereTheArgumentsDTypeHasNone) {
  const Tensor y = Run("rules::mean", Ones({3}, DType::kInt32));
  EXPECT_EQ(y.dtype(), DType::kFloat32);
  EXPECT_EQ(y.at<float>(), 1);
  const Outcome o = try_call("rules::mean", Ones({0}));
  EXPECT_THAT(o.message, HasSubstr("rules::mean(): "));
  EXPECT_THAT(o.message, HasSubstr("a mean of nothing"));
}

TEST_F(RuleTest, ADTypeThatNothingServesIsNotImplemented) {
  const Outcome o = try_call("rules::scale", Ones({2}, DType::kInt64), 2.);
  EXPECT_EQ(o.code, ErrorCode::kNotImplemented);
  EXPECT_THAT(o.message, HasSubstr("rules::scale"));
}

TEST_F(RuleTest, NumbersGiveWayToTensors) {
  const Tensor y = Run("rules::add", Ones({2}), 2.5);
  EXPECT_EQ(y.dtype(), DType::kFloat32);
  EXPECT_EQ(y.at<float>(1), 3.5f);
  const Tensor x = Ones({2});
  call("rules::add_", x, 1);
  EXPECT_EQ(x.at<float>(0), 2);
}

TEST_F(RuleTest, OutputsStartAsSelf) {
  const Tensor x = Ones({3});
  const Tensor y = Run("rules::bump", x, 1, 4.);
  EXPECT_EQ(y.at<float>(0), 1);
  EXPECT_EQ(y.at<float>(1), 5);
  EXPECT_EQ(x.at<float>(1), 1);
  call("rules::bump_", x, 2, 1.);
  EXPECT_EQ(x.at<float>(2), 2);
}

TEST_F(RuleTest, ViewsShareTheirStorage) {
  const Tensor x = Ones({4, 2});
  const Tensor y = Run("rules::rows", x, 2);
  EXPECT_TRUE(y.storage().is_same(x.storage()));
  call("fill_", y, 7);
  EXPECT_EQ(x.at<float>(1, 1), 7);
  EXPECT_EQ(x.at<float>(2, 0), 1);
  const Outcome outside = try_call("rules::rows", x, 5);
  EXPECT_EQ(outside.code, ErrorCode::kInvalidArgument) << outside.message;
  EXPECT_THAT(try_call("rules::rows", x, -1).message, HasSubstr("output 0 is not stated"));
}

TEST_F(RuleTest, OutputsLieAsWhatTheyAreLike) {
  const Tensor x = call("permute", Ones({1, 2, 3, 4}), std::vector<int64_t>{0, 2, 3, 1}).tensor();
  EXPECT_EQ(Run("rules::like", x).strides(), x.strides());
}

TEST_F(RuleTest, MetaTensorsGetTheRulesShapes) {
  const Tensor x = Tensor::Empty({2, 3}, DType::kInt32, ParseDevice("meta"));
  EXPECT_EQ(Run("rules::mean", x).dtype(), DType::kFloat32);
  EXPECT_EQ(Run("rules::rows", x, 1).sizes(), IntSpan({1, 3}));
}

TEST_F(RuleTest, KernelsCallOperators) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(Run("rules::twice", Ones({2})).at<float>(1), 2);
}

TEST_F(RuleTest, ElementsOfEveryDTypeAreReadAndWritten) {
  const Tensor x = tensor({0., 1., 2., 3.5});
  for (int from = 0; from < kNumDTypes; ++from) {
    for (int to = 0; to < kNumDTypes; ++to) {
      const DType a = static_cast<DType>(from), b = static_cast<DType>(to);
      const Tensor given = call("to", x, a).tensor();
      const Tensor converted = Run("rules::convert", given, b);
      const Tensor expected = call("to", given, b).tensor();
      ASSERT_EQ(converted.dtype(), b);
      EXPECT_EQ(std::memcmp(converted.data(), expected.data(), expected.nbytes()), 0)
          << Name(a) << " to " << Name(b);
    }
  }
}

TEST_F(RuleTest, WhatARuleStatesWronglyNamesOperatorPluginAndOutput) {
  const auto halves = [](int64_t n) { return try_call("rules::halves", Ones({n})).message; };
  EXPECT_EQ(try_call("rules::halves", Ones({6})).code, ErrorCode::kOk);
  EXPECT_THAT(halves(7),
              HasSubstr("rules::halves(): by the rule of plugin 'rules' output 1 is not"));
  EXPECT_THAT(halves(8), HasSubstr("output 0 has size -4 at [0]"));
  EXPECT_THAT(halves(9), HasSubstr("output 1 has dtype number 99"));
  EXPECT_THAT(halves(10), HasSubstr("output 1 starts as argument 5, which is no tensor"));
  EXPECT_THAT(try_call("rules::forgets", Ones({4})).message, HasSubstr("output 1 is not stated"));
}

TEST_F(RuleTest, AKernelThatDeclinesIsNamedWithItsReason) {
  EXPECT_EQ(try_call("rules::picky", Ones({1, 1})).code, ErrorCode::kOk);
  const Outcome o = try_call("rules::picky", Ones({3}));
  EXPECT_EQ(o.code, ErrorCode::kNotImplemented);
  EXPECT_THAT(o.message, HasSubstr("plugin 'rules' declines this call: only matrices are served"));
  const std::string text = explain("rules::picky", "cpu", DType::kFloat32)[0].str();
  EXPECT_THAT(text, HasSubstr("has declined 1 call, the last one: only matrices are served"));
}

}  // namespace
}  // namespace sy
