// The skeleton as a program uses it: loaded, computed on, unloaded.

#include <gtest/gtest.h>

#include <filesystem>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/dispatcher/fallback.h"
#include "switchyard/ops.h"
#include "switchyard/plugin/load.h"

namespace {

using namespace sy;

const std::string kFolder = std::filesystem::absolute("examples/plugins/skeleton").string();

class SkeletonTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin("skeleton", {.directories = {kFolder}}); }
  void TearDown() override { ASSERT_EQ(unload_plugin("skeleton").text, "unloaded"); }

  static Device Skeleton() { return ParseDevice("skeleton"); }
  static Tensor There(const Tensor& t) { return to(t, std::nullopt, std::nullopt, Skeleton()); }
  static std::string Here(const Tensor& t) {
    return ToString(to(t, std::nullopt, std::nullopt, Device{kHost}));
  }
};

TEST_F(SkeletonTest, AddsOnTheDevice) {
  const Tensor a = There(tensor({{1., 2.}, {3., 4.}})), b = There(tensor({10., 20.}));
  const Tensor sum = add(a, b);
  EXPECT_EQ(sum.device().str(), "skeleton:0");
  EXPECT_EQ(Here(sum), "tensor([[11., 22.],\n        [13., 24.]])");
}

TEST_F(SkeletonTest, TakesNumbersAndStrides) {
  const Tensor a = t(There(tensor({{1, 2}, {3, 4}})));
  EXPECT_EQ(Here(add(a, 10)), "tensor([[11, 13],\n        [12, 14]])");
}

TEST_F(SkeletonTest, MakesTensorsOnTheDevice) {
  EXPECT_EQ(Here(ones({3}, std::nullopt, std::nullopt, Skeleton())), "tensor([1., 1., 1.])");
}

TEST_F(SkeletonTest, CopiesWithinTheDevice) {
  const Tensor a = There(tensor({1., 2.}));
  const Tensor b = empty({2}, DType::kInt64, std::nullopt, Skeleton());
  copy_(b, a);
  EXPECT_EQ(Here(b), "tensor([1, 2])");
}

TEST_F(SkeletonTest, HasASecondDevice) {
  const Tensor a = to(tensor({1.}), std::nullopt, std::nullopt, ParseDevice("skeleton:1"));
  EXPECT_EQ(add(a, a).device().str(), "skeleton:1");
}

TEST_F(SkeletonTest, CallsItsOwnOperatorOnEveryDevice) {
  const Tensor x = tensor({1., 2.});
  EXPECT_EQ(ToString(call("skeleton::scale", x, 3.).tensor()), "tensor([3., 6.])");
  EXPECT_EQ(Here(call("skeleton::scale", There(x)).tensor()), "tensor([2., 4.])");
  const Tensor shape = empty({2, 3}, std::nullopt, std::nullopt, ParseDevice("meta"));
  EXPECT_EQ(call("skeleton::scale", shape).tensor().numel(), 6);
}

TEST_F(SkeletonTest, ScalesInPlace) {
  const Tensor x = There(tensor({1., 2.}));
  call("skeleton::scale_", x, 10.);
  EXPECT_EQ(Here(x), "tensor([10., 20.])");
}

TEST_F(SkeletonTest, ItsShapeRuleRefuses) {
  const Outcome o = try_call("skeleton::scale", tensor({1, 2}));
  EXPECT_EQ(o.code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(o.message, "skeleton::scale(): x must be float32 or float64");
}

TEST_F(SkeletonTest, EverythingElseFallsBackToTheHostWhenAllowed) {
  const Tensor x = There(tensor({4., 9.}));
  EXPECT_EQ(try_call("sub", x, 1).code, ErrorCode::kNotImplemented);
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  EXPECT_EQ(Here(call("sub", x, 1).tensor()), "tensor([3., 8.])");
  SetFallbackPolicy({});
}

TEST_F(SkeletonTest, IsNamedByExplain) {
  const std::string text = explain("add.Tensor", "skeleton", DType::kFloat32)[0].str();
  EXPECT_NE(text.find("the kernel at plugin 'skeleton': "), text.npos) << text;
}

TEST_F(SkeletonTest, UnloadsOnlyWhenNothingIsAlive) {
  const Tensor x = There(tensor({1., 2.}));
  const UnloadAnswer a = unload_plugin("skeleton");
  EXPECT_FALSE(a.unloaded);
  EXPECT_EQ(a.text, "busy: 1 tensor (8 bytes)");
}

}  // namespace
