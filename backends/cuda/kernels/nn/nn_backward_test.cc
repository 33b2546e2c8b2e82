// What windows pass back, on cuda as on the host.

#include <array>
#include <optional>
#include <span>

#include "backends/cuda/testing.h"

namespace sy::cuda {
namespace {

constexpr DType kFloating[] = {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64};
double ToleranceOf(DType d) {
  return d == DType::kFloat64   ? 1e-12
         : d == DType::kFloat32 ? 2e-5
         : d == DType::kFloat16 ? 8e-3
                                : 6e-2;
}

// --- Convolutions: all three results.
using List = std::vector<int64_t>;
void ExpectConvolution(double tolerance, const Tensor& grad, const Tensor& x, const Tensor& w,
                       const List& stride, const List& padding, const List& dilation,
                       bool transposed, const List& more, int64_t groups) {
  static constexpr std::array<bool, 3> kAll = {true, true, true};
  const auto run = [&](const Tensor& g, const Tensor& a, const Tensor& b) {
    const auto results = call("convolution_backward", g, a, b, Value(), stride, padding, dilation,
                              transposed, more, groups, std::span<const bool>(kAll));
    return std::array{results[0].tensor(), results[1].tensor(), results[2].tensor()};
  };
  const auto expected = run(grad, x, w), got = run(ToCuda(grad), ToCuda(x), ToCuda(w));
  for (size_t i = 0; i < 3; ++i) ExpectClose(got[i], expected[i], tolerance);
}

TEST(ConvolutionBackwardTest, OfBothKindsWithGroups) {
  for (DType d : kFloating) {
    ExpectConvolution(ToleranceOf(d), Spread({2, 6, 4, 2}, d), Spread({2, 4, 7, 6}, d, 1),
                      Spread({6, 2, 3, 2}, d, 2), {2, 2}, {1, 0}, {1, 2}, false, {0, 0}, 2);
    ExpectConvolution(ToleranceOf(d), Spread({2, 6, 10, 10}, d), Spread({2, 4, 5, 4}, d, 1),
                      Spread({4, 3, 3, 2}, d, 2), {2, 3}, {1, 1}, {1, 2}, true, {1, 0}, 2);
  }
}
TEST(ConvolutionBackwardTest, OfOneAndThreeDimensions) {
  const DType d = DType::kFloat32;
  ExpectConvolution(1e-4, Spread({2, 3, 8}, d), Spread({2, 2, 8}, d, 1), Spread({3, 2, 3}, d, 2),
                    {1}, {1}, {1}, false, {0}, 1);
  ExpectConvolution(1e-4, Spread({1, 3, 2, 3, 4}, d), Spread({1, 2, 3, 4, 5}, d, 1),
                    Spread({3, 2, 2, 2, 2}, d, 2), {1}, {0}, {1}, false, {0}, 1);
}

// --- Pools
TEST(AvgPoolBackwardTest, OfAllDTypes) {
  const List kernel = {3, 2}, stride = {2, 2}, padding = {1, 1};
  for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    for (bool include_pad : {false, true}) {
      ExpectAsOnHostWithin(ToleranceOf(d), "avg_pool2d_backward", Spread({2, 3, 4, 4}, d),
                           Spread({2, 3, 7, 6}, d), kernel, stride, padding, false, include_pad,
                           Value());
    }
    ExpectAsOnHostWithin(ToleranceOf(d), "_adaptive_avg_pool2d_backward", Spread({2, 3, 3, 5}, d),
                         Spread({2, 3, 7, 4}, d));
    ExpectAsOnHostWithin(ToleranceOf(d), "_adaptive_avg_pool3d_backward",
                         Spread({2, 3, 3, 5, 2}, d), Spread({2, 3, 7, 4, 6}, d));
  }
  const List one = {2, 2, 2}, none = {0, 0, 0};
  ExpectAsOnHost("avg_pool3d_backward", Spread({2, 3, 3, 3}, DType::kInt64),
                 Spread({2, 5, 5, 5}, DType::kInt64), one, one, none, true, true, int64_t{3});
}

TEST(FractionalMaxPoolTest, OfTwoAndThreeDimensions) {
  for (DType d : kFloating) {
    const Tensor samples =
        call("abs", call("div.Tensor", Spread({2, 3, 3}, d), Spread({1}, d)).take()).take();
    const Tensor part = call("narrow", samples, 2, 0, 2).take();
    const List two = {2, 2}, three = {3, 4}, kernel = {2, 2, 1}, sizes = {2, 3, 4};
    for (int i : {0, 1}) {
      const auto run = [&](bool there) {
        const auto at = [&](const Tensor& t) { return there ? ToCuda(t) : t; };
        const auto flat =
            call("fractional_max_pool2d", at(Spread({2, 3, 9, 8}, d)), two, three, at(part));
        const auto deep = call("fractional_max_pool3d", at(Spread({2, 3, 5, 6, 7}, d)), kernel,
                               sizes, at(samples));
        return std::array{flat[i].tensor(), deep[i].tensor()};
      };
      const auto got = run(true), expected = run(false);
      ExpectClose(got[0], expected[0], 0);
      ExpectClose(got[1], expected[1], 0);
    }
  }
}

}  // namespace
}  // namespace sy::cuda
