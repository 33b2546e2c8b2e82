// Padding and resampling, beside the recorded cases.
#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/generator.h"

namespace sy {
namespace {

Tensor ChannelsLast(const Tensor& t) { return contiguous(t, MemoryFormat::kChannelsLast); }

TEST(Resample, OfChannelsLastIsThatOfPlanes) {
  manual_seed(0);
  const Tensor x = randn({2, 5, 9, 150});
  const auto same = [](const Tensor& last, const Tensor& planes) {
    EXPECT_TRUE(last.is_contiguous(MemoryFormat::kChannelsLast));
    EXPECT_TRUE(allclose(last, planes, 1e-5, 1e-5));
  };
  same(upsample_nearest2d(ChannelsLast(x), {20, 31}), upsample_nearest2d(x, {20, 31}));
  same(upsample_bilinear2d(ChannelsLast(x), {20, 31}, false),
       upsample_bilinear2d(x, {20, 31}, false));
  same(upsample_bicubic2d(ChannelsLast(x), {4, 170}, true), upsample_bicubic2d(x, {4, 170}, true));
  same(_upsample_bilinear2d_aa(ChannelsLast(x), {4, 31}, false),
       _upsample_bilinear2d_aa(x, {4, 31}, false));
  same(reflection_pad2d(ChannelsLast(x), {3, -2, 0, 8}), reflection_pad2d(x, {3, -2, 0, 8}));
}

// <a x, g> = <x, a' g>.
TEST(Resample, PassesBackTheAdjoint) {
  manual_seed(1);
  const Tensor x = randn({2, 40, 6, 7}, DType::kFloat64), g = randn({2, 40, 9, 5}, DType::kFloat64);
  const auto expect = [&](const Tensor& y, const Tensor& back) {
    EXPECT_TRUE(allclose(sum(mul(y, g)), sum(mul(x, back)), 1e-9, 1e-9));
  };
  for (const bool align : {false, true}) {
    expect(upsample_bilinear2d(x, {9, 5}, align),
           upsample_bilinear2d_backward(ChannelsLast(g), {9, 5}, {2, 40, 6, 7}, align));
    expect(upsample_bicubic2d(x, {9, 5}, align),
           upsample_bicubic2d_backward(g, {9, 5}, {2, 40, 6, 7}, align));
    expect(_upsample_bicubic2d_aa(x, {9, 5}, align),
           _upsample_bicubic2d_aa_backward(g, {9, 5}, {2, 40, 6, 7}, align));
  }
  expect(replication_pad2d(x, {-3, 1, 1, 2}), replication_pad2d_backward(g, x, {-3, 1, 1, 2}));
}

TEST(Resample, ByAFactorKeepsIt) {
  const double factors[] = {1.5};
  const Tensor x = tensor({{{0., 1., 2.}}});
  EXPECT_TRUE(SameBytes(upsample_linear1d(x, std::nullopt, false, factors),
                        upsample_linear1d(x, {4}, false, 1.5)));
  EXPECT_EQ(CodeOf([&] { upsample_linear1d(x, std::nullopt, false, std::nullopt); }),
            ErrorCode::kInvalidArgument);
}

TEST(ReflectionPad, RefusesWhatCannotBeMirrored) {
  const Tensor x = zeros({1, 1, 3});
  EXPECT_EQ(CodeOf([&] { reflection_pad1d(x, {3, 0}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { reflection_pad1d(x, {-1, -2}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] {
              reflection_pad1d(to(x, DType::kBool), {1, 1});
            }),
            ErrorCode::kNotImplemented);
}

}  // namespace
}  // namespace sy
