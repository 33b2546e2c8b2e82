// Padding and resampling, beside the recorded cases.
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/testing.h"

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

// 8-bit images of 1 to 5 channels side by side, wider and narrower than registers, by all loops.
TEST(Resample, BytesAreTheSameByEveryInstructionSet) {
  manual_seed(2);
  const cpu::Isa before = cpu::ActiveIsa();
  for (const int64_t channels : {1, 2, 3, 4, 5, 40}) {
    // The last one has weights that do not halve into 8 bits each.
    for (const std::vector<int64_t>& size :
         {std::vector<int64_t>{20, 131}, {4, 7}, {9, 50}, {1, 1}, {30, 3}, {5, 18}, {2, 100}}) {
      const int64_t width = size[1] == 100 ? 401 : 50;
      const Tensor x = to(randint(256, {2, channels, 9, width}), DType::kUInt8);
      const auto all = [&](const Tensor& t) {
        return std::vector<Tensor>{
            upsample_bilinear2d(t, size, false), upsample_bicubic2d(t, size, true),
            _upsample_bilinear2d_aa(t, size, false), _upsample_bicubic2d_aa(t, size, false)};
      };
      cpu::SetIsa(cpu::kBaseline);
      const std::vector<Tensor> expected = all(x);
      for (int isa = 0; isa <= cpu::BestIsa(); ++isa) {
        cpu::SetIsa(static_cast<cpu::Isa>(isa));
        const std::vector<Tensor> planes = all(x), last = all(ChannelsLast(x));
        for (size_t i = 0; i < expected.size(); ++i) {
          EXPECT_TRUE(equal(planes[i], expected[i])) << isa << " " << channels << " " << i;
          EXPECT_TRUE(equal(last[i], expected[i])) << isa << " " << channels << " " << i;
        }
      }
    }
  }
  cpu::SetIsa(before);
}

// Of whole images the numbers are those of floats, rounded, within one.
TEST(Resample, BytesAreNearTheFloats) {
  manual_seed(3);
  const Tensor x = to(randint(256, {1, 3, 37, 53}), DType::kUInt8);
  const auto near = [](const Tensor& bytes, const Tensor& floats) {
    const Tensor expected = clamp(floats, 0, 255);
    EXPECT_LE(max(abs(sub(to(bytes, DType::kFloat32), expected))).item<float>(), 1.6f);
  };
  const Tensor f = to(x, DType::kFloat32);
  for (const std::vector<int64_t>& size : {std::vector<int64_t>{80, 101}, {11, 13}}) {
    near(upsample_bilinear2d(x, size, false), upsample_bilinear2d(f, size, false));
    near(_upsample_bilinear2d_aa(ChannelsLast(x), size, false),
         _upsample_bilinear2d_aa(f, size, false));
  }
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
