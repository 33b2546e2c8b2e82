// Windows that slide over the last 1 to 3 dimensions of [n, c, ..] or [c, ..]: what pooling, im2col
// and convolutions are given, checked, as three dimensions, the missing ones first with sizes 1.
//
//   const Window w = Window::OfPool(r.op(), self, 2, kernel_size, stride, padding, dilation, ceil);
//   w.outputs[2];
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming the operator `op` and what does not fit.
#ifndef SWITCHYARD_OPS_NN_WINDOW_H_
#define SWITCHYARD_OPS_NN_WINDOW_H_

#include "switchyard/core/tensor.h"

namespace sy {

#pragma GCC visibility push(default)

// Numbers of these windows are such that sums of a few of them fit an int64_t.
inline constexpr int64_t kMostPadding = int64_t{1} << 60;
inline constexpr int64_t kMostExtent = int64_t{1} << 62;  // more than an input has
// Elements from the first to the last of a window, at most kMostExtent.
int64_t WindowExtent(int64_t kernel, int64_t dilation);

struct Window {
  int dims;
  int64_t planes;  // products of the sizes before the last `dims`
  int64_t inputs[3], outputs[3], kernel[3], stride[3], padding[3], dilation[3];

  int64_t input_count() const { return inputs[0] * inputs[1] * inputs[2]; }
  int64_t output_count() const { return outputs[0] * outputs[1] * outputs[2]; }

  // stride: kernel_size where empty. Lists have 1 or `dims` entries.
  static Window OfPool(std::string_view op, const TensorBase& self, int dims, IntSpan kernel_size,
                       IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil_mode);
  // Windows that divide the input into output_size parts; sizes of -1 are not accepted.
  static Window OfAdaptive(std::string_view op, const TensorBase& self, int dims,
                           IntSpan output_size);
  // im2col and col2im: padding of any size. image: sizes of what the windows slide over.
  static Window OfColumns(std::string_view op, IntSpan image, IntSpan kernel_size, IntSpan dilation,
                          IntSpan padding, IntSpan stride);
  // A convolution's, whose arguments its shape function has checked. image: what the windows slide
  // over, the input or, transposed, the output; columns: the other.
  static Window OfConvolution(const TensorBase& image, const TensorBase& columns,
                              const TensorBase& weight, IntSpan stride, IntSpan padding,
                              IntSpan dilation);
};

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_WINDOW_H_
