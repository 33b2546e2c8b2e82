// Upsampling by output sizes or by scale factors, of which exactly one is given.

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Sizes = std::optional<IntSpan>;
using Factors = std::optional<std::span<const double>>;

// Sizes of the outputs, and what scales are where factors are given.
template <int kDims>
struct Wanted {
  int64_t each[kDims];
  std::optional<double> scale[kDims];

  IntSpan sizes() const { return {each, kDims}; }

  Wanted(Call call, const Tensor& input, const Sizes& output_size, const Factors& factors) {
    if (output_size.has_value() == factors.has_value()) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"either output_size or scale_factors must be given, got ",
            factors ? "both" : "neither"});
    }
    const size_t count = factors ? factors->size() : output_size->size();
    if (count != kDims || input.dim() != kDims + 2) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"input must have ", kDims + 2, " dimensions, output_size or scale_factors ", kDims,
            " entries, got sizes ", input.sizes(), " and ", count, " entries"});
    }
    for (int d = 0; d < kDims; ++d) {
      const auto i = static_cast<size_t>(d);
      if (!factors) {
        each[d] = (*output_size)[i];
        continue;
      }
      scale[d] = (*factors)[i];
      const double size = static_cast<double>(input.sizes()[i + 2]) * *scale[d];
      if (!(std::abs(size) < 0x1p63)) {
        Fail(ErrorCode::kInvalidArgument, call.op(),
             {"scale_factors must give sizes below 2^63, got ", *scale[d], " for sizes ",
              input.sizes()});
      }
      each[d] = static_cast<int64_t>(size);
    }
  }
};

// kBase calls the operator that takes sizes and scales.
template <int kDims, auto kBase>
Tensor Nearest(Call call, const Tensor& input, Sizes output_size, Factors scale_factors) {
  return kBase(input, Wanted<kDims>(call, input, output_size, scale_factors));
}
template <int kDims, auto kBase>
Tensor Weighted(Call call, const Tensor& input, Sizes output_size, bool align_corners,
                Factors scale_factors) {
  return kBase(input, Wanted<kDims>(call, input, output_size, scale_factors), align_corners);
}

using One = Wanted<1>;
using Two = Wanted<2>;
using Three = Wanted<3>;

const Composite nearest1d_body{"upsample_nearest1d.vec",
                               Nearest<1, [](const Tensor& x, const One& w) {
                                 return upsample_nearest1d(x, w.sizes(), w.scale[0]);
                               }>};
const Composite nearest2d_body{"upsample_nearest2d.vec",
                               Nearest<2, [](const Tensor& x, const Two& w) {
                                 return upsample_nearest2d(x, w.sizes(), w.scale[0], w.scale[1]);
                               }>};
const Composite nearest3d_body{
    "upsample_nearest3d.vec", Nearest<3, [](const Tensor& x, const Three& w) {
      return upsample_nearest3d(x, w.sizes(), w.scale[0], w.scale[1], w.scale[2]);
    }>};
const Composite nearest_exact1d_body{"_upsample_nearest_exact1d.vec",
                                     Nearest<1, [](const Tensor& x, const One& w) {
                                       return _upsample_nearest_exact1d(x, w.sizes(), w.scale[0]);
                                     }>};
const Composite nearest_exact2d_body{
    "_upsample_nearest_exact2d.vec", Nearest<2, [](const Tensor& x, const Two& w) {
      return _upsample_nearest_exact2d(x, w.sizes(), w.scale[0], w.scale[1]);
    }>};
const Composite nearest_exact3d_body{
    "_upsample_nearest_exact3d.vec", Nearest<3, [](const Tensor& x, const Three& w) {
      return _upsample_nearest_exact3d(x, w.sizes(), w.scale[0], w.scale[1], w.scale[2]);
    }>};
const Composite linear1d_body{"upsample_linear1d.vec",
                              Weighted<1, [](const Tensor& x, const One& w, bool align) {
                                return upsample_linear1d(x, w.sizes(), align, w.scale[0]);
                              }>};
const Composite bilinear2d_body{
    "upsample_bilinear2d.vec", Weighted<2, [](const Tensor& x, const Two& w, bool align) {
      return upsample_bilinear2d(x, w.sizes(), align, w.scale[0], w.scale[1]);
    }>};
const Composite trilinear3d_body{
    "upsample_trilinear3d.vec", Weighted<3, [](const Tensor& x, const Three& w, bool align) {
      return upsample_trilinear3d(x, w.sizes(), align, w.scale[0], w.scale[1], w.scale[2]);
    }>};
const Composite bicubic2d_body{
    "upsample_bicubic2d.vec", Weighted<2, [](const Tensor& x, const Two& w, bool align) {
      return upsample_bicubic2d(x, w.sizes(), align, w.scale[0], w.scale[1]);
    }>};
const Composite bilinear2d_aa_body{
    "_upsample_bilinear2d_aa.vec", Weighted<2, [](const Tensor& x, const Two& w, bool align) {
      return _upsample_bilinear2d_aa(x, w.sizes(), align, w.scale[0], w.scale[1]);
    }>};
const Composite bicubic2d_aa_body{
    "_upsample_bicubic2d_aa.vec", Weighted<2, [](const Tensor& x, const Two& w, bool align) {
      return _upsample_bicubic2d_aa(x, w.sizes(), align, w.scale[0], w.scale[1]);
    }>};

}  // namespace
}  // namespace sy
