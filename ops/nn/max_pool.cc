// Largest element of each window; the forms with indices also say where in the last dimensions,
// counted as one, it lies. NaN counts as largest.
//   self: [n, c, ..] or [c, ..] with 1, 2 or 3 last dimensions, integers or floating; kernel_size,
//   stride (the kernel's unless given), padding (at most half of the kernel), dilation: one number
//   or one a dimension
//   →   [n, c, ..], sizes (in + 2 padding - dilation (kernel - 1) - 1) / stride + 1, rounded down,
//   or up with ceil_mode; adaptive: output_size
// Errors: kInvalidArgument for other ranks, empty dimensions but the batch, numbers that are out of
// range, and windows that do not fit; kNotImplemented for other dtypes.
// Example: sy::max_pool1d(x, {2})
// Source: ATen max_pool1d, max_pool2d, max_pool3d, their forms with_indices, adaptive_max_pool1d,
// adaptive_max_pool2d, adaptive_max_pool3d.
#include <algorithm>

#include "switchyard/ops/nn/window.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kOrdered = kIntegerTypes | kFloatingTypes;

IntSpan SizesOf(ShapeContext& r, const TensorBase& self, const Window& w) {
  int64_t* sizes = r.Ints(self.dim());
  const int64_t kept = self.dim() - w.dims;
  std::copy_n(self.sizes().data(), kept, sizes);
  for (int d = 0; d < w.dims; ++d) sizes[kept + d] = w.outputs[3 - w.dims + d];
  return {sizes, static_cast<size_t>(self.dim())};
}

template <int kDims, bool kIndices>
void MaxPoolShape(ShapeContext& r, const TensorBase& self, IntSpan kernel_size, IntSpan stride,
                  IntSpan padding, IntSpan dilation, bool ceil_mode) {
  const Window w =
      Window::OfPool(r.op(), self, kDims, kernel_size, stride, padding, dilation, ceil_mode);
  RequireDType(r, self, kOrdered);
  const IntSpan sizes = SizesOf(r, self, w);
  OutputInFormat(r, sizes, self.dtype(), self.suggest_memory_format());
  if (kIndices) OutputInFormat(r, sizes, DType::kInt64, self.suggest_memory_format());
}

template <int kDims>
void AdaptiveShape(ShapeContext& r, const TensorBase& self, IntSpan output_size) {
  const Window w = Window::OfAdaptive(r.op(), self, kDims, output_size);
  RequireDType(r, self, kOrdered);
  const IntSpan sizes = SizesOf(r, self, w);
  OutputInFormat(r, sizes, self.dtype(), self.suggest_memory_format());
  OutputInFormat(r, sizes, DType::kInt64, self.suggest_memory_format());
}

}  // namespace

const Operator max_pool1d_op{
    "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] "
    "dilation=[1], bool ceil_mode=False) -> Tensor",
    MaxPoolShape<1, false>};
const Operator max_pool2d_op{
    "max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] "
    "dilation=1, bool ceil_mode=False) -> Tensor",
    MaxPoolShape<2, false>};
const Operator max_pool3d_op{
    "max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] "
    "dilation=1, bool ceil_mode=False) -> Tensor",
    MaxPoolShape<3, false>};
const Operator max_pool1d_with_indices_op{
    "max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
    "padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)",
    Outputs<2>(MaxPoolShape<1, true>)};
const Operator max_pool2d_with_indices_op{
    "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, "
    "int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    Outputs<2>(MaxPoolShape<2, true>),
    Out("max_pool2d_with_indices.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
        "padding=0, int[2] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) "
        "indices) -> (Tensor(a!), Tensor(b!))")};
const Operator max_pool3d_with_indices_op{
    "max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, "
    "int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)",
    Outputs<2>(MaxPoolShape<3, true>),
    Out("max_pool3d_with_indices.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
        "padding=0, int[3] dilation=1, bool ceil_mode=False, *, Tensor(a!) out, Tensor(b!) "
        "indices) -> (Tensor(a!), Tensor(b!))")};
const Operator adaptive_max_pool1d_op{
    "adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)",
    Outputs<2>(AdaptiveShape<1>)};
const Operator adaptive_max_pool2d_op{
    "adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)",
    Outputs<2>(AdaptiveShape<2>),
    Out("adaptive_max_pool2d.out(Tensor self, int[2] output_size, *, Tensor(a!) out, Tensor(b!) "
        "indices) -> (Tensor(a!), Tensor(b!))")};
const Operator adaptive_max_pool3d_op{
    "adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)",
    Outputs<2>(AdaptiveShape<3>),
    Out("adaptive_max_pool3d.out(Tensor self, int[3] output_size, *, Tensor(a!) out, Tensor(b!) "
        "indices) -> (Tensor(a!), Tensor(b!))")};

}  // namespace sy
