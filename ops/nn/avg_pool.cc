// Mean of each window; the sum over divisor_override where that is given.
//   self: [n, c, ..] or [c, ..] with 1, 2 or 3 last dimensions, floating or int64 (adaptive:
//   floating); kernel_size, stride (the kernel's unless given), padding (at most half of the
//   kernel): one number or one a dimension; count_include_pad: padding counts as zeros
//   →   [n, c, ..], sizes (in + 2 padding - kernel) / stride + 1, rounded down, or up with
//   ceil_mode; adaptive: output_size
// Errors: kInvalidArgument for other ranks, empty dimensions but the batch, numbers that are out of
// range, and windows that do not fit; kNotImplemented for other dtypes.
// Example: sy::avg_pool1d(x, {2})
// Source: ATen avg_pool1d, avg_pool2d, avg_pool3d, adaptive_avg_pool1d, adaptive_avg_pool2d,
// adaptive_avg_pool3d, _adaptive_avg_pool2d, _adaptive_avg_pool3d.
#include <algorithm>

#include "switchyard/ops/nn/window.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr int64_t kOne[] = {1};

void OutputOf(ShapeContext& r, const TensorBase& self, const Window& w) {
  int64_t* sizes = r.Ints(self.dim());
  const int64_t kept = self.dim() - w.dims;
  std::copy_n(self.sizes().data(), kept, sizes);
  for (int d = 0; d < w.dims; ++d) sizes[kept + d] = w.outputs[3 - w.dims + d];
  OutputInFormat(r, {sizes, static_cast<size_t>(self.dim())}, self.dtype(),
                 self.suggest_memory_format());
}

template <int kDims>
void AvgPoolShape(ShapeContext& r, const TensorBase& self, IntSpan kernel_size, IntSpan stride,
                  IntSpan padding, bool ceil_mode, bool /*count_include_pad*/,
                  Optional<int64_t> divisor_override) {
  const Window w =
      Window::OfPool(r.op(), self, kDims, kernel_size, stride, padding, kOne, ceil_mode);
  if (divisor_override && *divisor_override == 0) r.Fail({"divisor_override must not be 0"});
  RequireDType(r, self, kFloatingTypes | Bit(DType::kInt64));
  OutputOf(r, self, w);
}
void AvgPool1dShape(ShapeContext& r, const TensorBase& self, IntSpan kernel_size, IntSpan stride,
                    IntSpan padding, bool ceil_mode, bool count_include_pad) {
  AvgPoolShape<1>(r, self, kernel_size, stride, padding, ceil_mode, count_include_pad,
                  std::nullopt);
}

template <int kDims>
void AdaptiveShape(ShapeContext& r, const TensorBase& self, IntSpan output_size) {
  const Window w = Window::OfAdaptive(r.op(), self, kDims, output_size);
  RequireDType(r, self, kFloatingTypes);
  OutputOf(r, self, w);
}

// Three dimensions: row-major, whatever self is.
void RowMajorShape(ShapeContext& r, const TensorBase& self, IntSpan output_size) {
  AdaptiveShape<3>(r, self, output_size);
  r.output(0).strides = nullptr;
}

}  // namespace

const Operator avg_pool1d_op{
    "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool "
    "ceil_mode=False, bool count_include_pad=True) -> Tensor",
    AvgPool1dShape, kOut};
const Operator avg_pool2d_op{
    "avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool "
    "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
    AvgPoolShape<2>, kOut};
const Operator avg_pool3d_op{
    "avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool "
    "ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor",
    AvgPoolShape<3>, kOut};
const Operator adaptive_avg_pool1d_op{
    "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", AdaptiveShape<1>, kOut};
const Operator adaptive_avg_pool2d_op{
    "adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor", AdaptiveShape<2>, kOut};
const Operator adaptive_avg_pool3d_op{
    "adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor", AdaptiveShape<3>, kOut};
// What autograd records of them: second names, whose results' layout is ATen's.
const Operator adaptive_avg_pool2d_recorded_op{
    "_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
    SameKernels("adaptive_avg_pool2d", AdaptiveShape<2>), kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator adaptive_avg_pool3d_recorded_op{
    "_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
    SameKernels("adaptive_avg_pool3d", RowMajorShape), kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
