// The windows that slide over images, as columns.
//   self: [n, c, h, w] or [c, h, w], any dtype; kernel_size, dilation, padding, stride: one number
//   or two   →   [n, c kernel_h kernel_w, windows] or without n; zeros in the padding
// Errors: kInvalidArgument for other ranks, empty dimensions but the batch, numbers out of range,
// and windows that do not fit.
// Example: sy::im2col(x, {2, 2}, {1, 1}, {0, 0}, {1, 1})
// Source: ATen im2col.
#include "switchyard/ops/nn/window.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ColumnsShape(ShapeContext& r, const TensorBase& self, IntSpan kernel_size, IntSpan dilation,
                  IntSpan padding, IntSpan stride) {
  const Window w = Window::OfColumns(r.op(), self.sizes(), kernel_size, dilation, padding, stride);
  const bool batched = self.dim() == 4;
  int64_t rows = 0, columns = 0;
  if (__builtin_mul_overflow(w.kernel[1], w.kernel[2], &rows) ||
      __builtin_mul_overflow(self.size(-3), rows, &rows) ||
      __builtin_mul_overflow(w.outputs[1], w.outputs[2], &columns)) {
    r.Fail({"windows of ", kernel_size, " with padding ", padding,
            " have more than 2^63 - 1 elements"});
  }
  if (batched) {
    r.Output({self.sizes()[0], rows, columns}, self.dtype());
  } else {
    r.Output({rows, columns}, self.dtype());
  }
}

}  // namespace

const Operator im2col_op{
    "im2col(Tensor self, int[2] kernel_size, int[2] dilation, int[2] padding, int[2] stride) -> "
    "Tensor",
    ColumnsShape, kOut};

}  // namespace sy
