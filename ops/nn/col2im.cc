// Columns as im2col makes them, summed where their windows lie in the image.
//   self: [n, c kernel_h kernel_w, windows] or without n, floating or complex; output_size: h, w;
//   kernel_size, dilation, padding, stride: one number or two   →   [n, c, h, w] or without n
// Errors: kInvalidArgument for other ranks, empty dimensions but the batch, numbers out of range,
// rows that are no multiple of the kernel, and columns that are not as many as the windows.
// Example: sy::col2im(sy::ones({4, 4}), {3, 3}, {2, 2}, {1, 1}, {0, 0}, {1, 1})
// Source: ATen col2im.
#include "switchyard/ops/nn/window.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void Col2ImShape(ShapeContext& r, const TensorBase& self, IntSpan output_size, IntSpan kernel_size,
                 IntSpan dilation, IntSpan padding, IntSpan stride) {
  RequireDType(r, self, kFloatingTypes | kComplexTypes);
  const int64_t rank = self.dim();
  if ((rank != 2 && rank != 3) || self.size(-1) == 0 || self.size(-2) == 0) {
    r.Fail({"self must be [n, rows, windows] or [rows, windows], empty in n alone, got sizes ",
            self.sizes()});
  }
  if (output_size.size() != 2) r.Fail({"output_size must be two numbers, got ", output_size});
  const int64_t image[] = {1, output_size[0], output_size[1]};
  const Window w = Window::OfColumns(r.op(), image, kernel_size, dilation, padding, stride);
  const int64_t elements = w.kernel[1] * w.kernel[2];
  if (self.size(-2) % elements != 0) {
    r.Fail({"self must have a multiple of ", elements, " rows, the elements of a window, got ",
            self.size(-2)});
  }
  if (self.size(-1) != w.outputs[1] * w.outputs[2]) {
    r.Fail({"self must have as many columns as there are windows, ", w.outputs[1], " by ",
            w.outputs[2], ", got ", self.size(-1)});
  }
  const int64_t channels = self.size(-2) / elements;
  if (rank == 3) {
    r.Output({self.sizes()[0], channels, output_size[0], output_size[1]}, self.dtype());
  } else {
    r.Output({channels, output_size[0], output_size[1]}, self.dtype());
  }
}

}  // namespace

const Operator col2im_op{
    "col2im(Tensor self, SymInt[2] output_size, int[2] kernel_size, int[2] dilation, int[2] "
    "padding, int[2] stride) -> Tensor",
    Col2ImShape, kOut};

}  // namespace sy
