// Padding and resampling, on cuda as on the host.

#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

Tensor Numbers(std::vector<int64_t> sizes, DType dtype) {
  const Tensor t = Tensor::Empty(sizes, DType::kFloat64);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<double>()[i] = static_cast<double>(i * 37 % 101);
  return call("to.dtype", t, dtype).take();
}
Tensor ChannelsLast(const Tensor& t) {
  return call("contiguous", t, MemoryFormat::kChannelsLast).take();
}

TEST(PadTest, OfEveryDTypeAndBothFormats) {
  const std::vector<int64_t> padding = {2, -1, 1, 3};
  for (DType d : {DType::kUInt8, DType::kBFloat16, DType::kFloat32, DType::kInt64,
                  DType::kComplex64, DType::kComplex128}) {
    const Tensor x = Numbers({2, 3, 5, 4}, d);
    for (const char* op : {"reflection_pad2d", "replication_pad2d"}) {
      ExpectAsOnHost(op, x, padding);
      ExpectAsOnHost(op, ChannelsLast(x), padding);
    }
    if (d == DType::kUInt8 || d == DType::kInt64) continue;
    const Tensor g = Numbers({2, 3, 9, 5}, d);
    ExpectAsOnHost("reflection_pad2d_backward", g, x, padding);
    ExpectAsOnHost("replication_pad2d_backward", g, ChannelsLast(x), padding);
  }
}

TEST(ResampleTest, ForwardAndBackward) {
  const std::vector<int64_t> size = {3, 9}, input = {2, 3, 5, 4};
  const std::optional<double> none;
  for (DType d : {DType::kFloat16, DType::kFloat32, DType::kFloat64}) {
    const double tolerance = d == DType::kFloat16 ? 4e-3 : 1e-5;
    for (const Tensor& x : {Numbers(input, d), ChannelsLast(Numbers(input, d))}) {
      const Tensor g = Numbers({2, 3, 3, 9}, d);
      ExpectAsOnHost("upsample_nearest2d", x, size, none, none);
      ExpectAsOnHostWithin(tolerance, "upsample_bilinear2d", x, size, false, none, none);
      ExpectAsOnHostWithin(tolerance, "upsample_bicubic2d", x, size, true, none, none);
      ExpectAsOnHostWithin(tolerance, "upsample_bilinear2d_backward", g, size, input, false, none,
                           none);
      ExpectAsOnHostWithin(tolerance, "upsample_nearest2d_backward", g, size, input, none, none);
      if (d == DType::kFloat16) continue;
      ExpectAsOnHostWithin(tolerance, "_upsample_bicubic2d_aa", x, size, false, none, none);
      ExpectAsOnHostWithin(tolerance, "_upsample_bicubic2d_aa_backward", g, size, input, false,
                           none, none);
    }
  }
}

TEST(ResampleTest, OfBytesIsExact) {
  const std::vector<int64_t> size = {3, 9};
  const std::optional<double> none;
  const Tensor x = Numbers({2, 3, 5, 4}, DType::kUInt8);
  for (const char* op : {"upsample_bilinear2d", "upsample_bicubic2d", "_upsample_bilinear2d_aa"})
    ExpectAsOnHost(op, x, size, false, none, none);
}

}  // namespace
}  // namespace sy::cuda
