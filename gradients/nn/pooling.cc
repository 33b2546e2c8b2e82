// Gradients of pooling: averages are spread, a maximum goes to its position.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Avg2dSelf(const Grad& g, const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding,
                 bool ceil_mode, bool count_include_pad, Optional<int64_t> divisor) {
  return avg_pool2d_backward(g, self, kernel, stride, padding, ceil_mode, count_include_pad,
                             divisor);
}
const Gradient avg2d_grad{"avg_pool2d", For("self", Avg2dSelf)};
Tensor Avg3dSelf(const Grad& g, const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding,
                 bool ceil_mode, bool count_include_pad, Optional<int64_t> divisor) {
  return avg_pool3d_backward(g, self, kernel, stride, padding, ceil_mode, count_include_pad,
                             divisor);
}
const Gradient avg3d_grad{"avg_pool3d", For("self", Avg3dSelf)};
// The number of a list of one, as forms for one dim take.
int64_t Single(const char* op, const char* argument, IntSpan list) {
  if (list.size() == 1) return list[0];
  Fail(ErrorCode::kInvalidArgument, op,
       {std::string_view(argument), " must be one number, got ", list});
}
// One dim is two, of which the first is 1.
Tensor Avg1d(const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding, bool ceil_mode,
             bool count_include_pad) {
  constexpr const char* kOp = "avg_pool1d";
  const int64_t size = Single(kOp, "kernel_size", kernel),
                step = stride.empty() ? size : Single(kOp, "stride", stride),
                pad = Single(kOp, "padding", padding);
  return squeeze(
      avg_pool2d(unsqueeze(self, -2), {1, size}, {1, step}, {0, pad}, ceil_mode, count_include_pad),
      -2);
}
const Decomposition avg1d_parts{"avg_pool1d", Avg1d};
Tensor AdaptiveAvg2dSelf(const Grad& g, const Tensor& self, Unsaved) {
  return _adaptive_avg_pool2d_backward(g, self);
}
const Gradient adaptive_avg2d_grad{"adaptive_avg_pool2d", For("self", AdaptiveAvg2dSelf)};
const Gradient adaptive_avg2d_kernel_grad{"_adaptive_avg_pool2d", For("self", AdaptiveAvg2dSelf)};
Tensor AdaptiveAvg3dSelf(const Grad& g, const Tensor& self, Unsaved) {
  return _adaptive_avg_pool3d_backward(g, self);
}
const Gradient adaptive_avg3d_grad{"adaptive_avg_pool3d", For("self", AdaptiveAvg3dSelf)};
const Gradient adaptive_avg3d_kernel_grad{"_adaptive_avg_pool3d", For("self", AdaptiveAvg3dSelf)};
Tensor AdaptiveAvg1d(const Tensor& self, IntSpan size) {
  const int64_t n = Single("adaptive_avg_pool1d", "output_size", size);
  return squeeze(adaptive_avg_pool2d(unsqueeze(self, -2), {1, n}), -2);
}
const Decomposition adaptive_avg1d_parts{"adaptive_avg_pool1d", AdaptiveAvg1d};

Tensor Max2dSelf(const Grad& g, Output<1> indices, const Tensor& self, IntSpan kernel,
                 IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil_mode) {
  return max_pool2d_with_indices_backward(g, self, kernel, stride, padding, dilation, ceil_mode,
                                          indices);
}
const Gradient max2d_grad{"max_pool2d_with_indices", For("self", Max2dSelf)};
Tensor Max3dSelf(const Grad& g, Output<1> indices, const Tensor& self, IntSpan kernel,
                 IntSpan stride, IntSpan padding, IntSpan dilation, bool ceil_mode) {
  return max_pool3d_with_indices_backward(g, self, kernel, stride, padding, dilation, ceil_mode,
                                          indices);
}
const Gradient max3d_grad{"max_pool3d_with_indices", For("self", Max3dSelf)};
Tensor Max2d(const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding, IntSpan dilation,
             bool ceil_mode) {
  return std::get<0>(max_pool2d_with_indices(self, kernel, stride, padding, dilation, ceil_mode));
}
const Decomposition max2d_parts{"max_pool2d", Max2d};
Tensor Max3d(const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding, IntSpan dilation,
             bool ceil_mode) {
  return std::get<0>(max_pool3d_with_indices(self, kernel, stride, padding, dilation, ceil_mode));
}
const Decomposition max3d_parts{"max_pool3d", Max3d};
std::tuple<Tensor, Tensor> Max1dWithIndices(const Tensor& self, IntSpan kernel, IntSpan stride,
                                            IntSpan padding, IntSpan dilation, bool ceil_mode) {
  constexpr const char* kOp = "max_pool1d";
  const int64_t size = Single(kOp, "kernel_size", kernel),
                step = stride.empty() ? size : Single(kOp, "stride", stride),
                pad = Single(kOp, "padding", padding), apart = Single(kOp, "dilation", dilation);
  const auto [y, indices] = max_pool2d_with_indices(unsqueeze(self, -2), {1, size}, {1, step},
                                                    {0, pad}, {1, apart}, ceil_mode);
  return {squeeze(y, -2), squeeze(indices, -2)};
}
const Decomposition max1d_indices_parts{"max_pool1d_with_indices", Max1dWithIndices};
Tensor Max1d(const Tensor& self, IntSpan kernel, IntSpan stride, IntSpan padding, IntSpan dilation,
             bool ceil_mode) {
  return std::get<0>(Max1dWithIndices(self, kernel, stride, padding, dilation, ceil_mode));
}
const Decomposition max1d_parts{"max_pool1d", Max1d};
std::tuple<Tensor, Tensor> AdaptiveMax1d(const Tensor& self, IntSpan size) {
  const int64_t n = Single("adaptive_max_pool1d", "output_size", size);
  const auto [y, indices] = adaptive_max_pool2d(unsqueeze(self, -2), {1, n});
  return {squeeze(y, -2), squeeze(indices, -2)};
}
const Decomposition adaptive_max1d_parts{"adaptive_max_pool1d", AdaptiveMax1d};
Tensor AdaptiveMax2dSelf(const Grad& g, Output<1> indices, const Tensor& self, Unsaved) {
  return adaptive_max_pool2d_backward(g, self, indices);
}
const Gradient adaptive_max2d_grad{"adaptive_max_pool2d", For("self", AdaptiveMax2dSelf)};
Tensor AdaptiveMax3dSelf(const Grad& g, Output<1> indices, const Tensor& self, Unsaved) {
  return adaptive_max_pool3d_backward(g, self, indices);
}
const Gradient adaptive_max3d_grad{"adaptive_max_pool3d", For("self", AdaptiveMax3dSelf)};
Tensor Fractional2dSelf(const Grad& g, Output<1> indices, const Tensor& self, IntSpan kernel,
                        IntSpan size, Unsaved) {
  return fractional_max_pool2d_backward(g, self, kernel, size, indices);
}
const Gradient fractional2d_grad{"fractional_max_pool2d", For("self", Fractional2dSelf)};
Tensor Fractional3dSelf(const Grad& g, Output<1> indices, const Tensor& self, IntSpan kernel,
                        IntSpan size, Unsaved) {
  return fractional_max_pool3d_backward(g, self, kernel, size, indices);
}
const Gradient fractional3d_grad{"fractional_max_pool3d", For("self", Fractional3dSelf)};

// --- What these pass back, and unpooling. Averages are linear; what went to the position of a
// maximum is read from there.

template <auto kPool>
Tensor AvgBack(const Grad& g, Unsaved, Unsaved, IntSpan kernel, IntSpan stride, IntSpan padding,
               bool ceil_mode, bool count_include_pad, Optional<int64_t> divisor) {
  return kPool(g, kernel, stride, padding, ceil_mode, count_include_pad, divisor);
}
Tensor Avg2d(const Tensor& g, IntSpan kernel, IntSpan stride, IntSpan padding, bool ceil_mode,
             bool count_include_pad, Optional<int64_t> divisor) {
  return avg_pool2d(g, kernel, stride, padding, ceil_mode, count_include_pad, divisor);
}
Tensor Avg3d(const Tensor& g, IntSpan kernel, IntSpan stride, IntSpan padding, bool ceil_mode,
             bool count_include_pad, Optional<int64_t> divisor) {
  return avg_pool3d(g, kernel, stride, padding, ceil_mode, count_include_pad, divisor);
}
const Gradient avg2d_back_grad{"avg_pool2d_backward", For("grad_output", AvgBack<Avg2d>)};
const Gradient avg3d_back_grad{"avg_pool3d_backward", For("grad_output", AvgBack<Avg3d>)};
Tensor AdaptiveAvg2dBack(const Grad& g, Like grad, Unsaved) {
  return adaptive_avg_pool2d(g, {grad.size(-2), grad.size(-1)});
}
Tensor AdaptiveAvg3dBack(const Grad& g, Like grad, Unsaved) {
  return adaptive_avg_pool3d(g, {grad.size(-3), grad.size(-2), grad.size(-1)});
}
const Gradient adaptive_avg2d_back_grad{"_adaptive_avg_pool2d_backward",
                                        For("grad_output", AdaptiveAvg2dBack)};
const Gradient adaptive_avg3d_back_grad{"_adaptive_avg_pool3d_backward",
                                        For("grad_output", AdaptiveAvg3dBack)};

// Elements of t at indices, which count those of its last dims.
Tensor AtIndices(const Tensor& t, const Tensor& indices, int64_t dims) {
  if (indices.numel() == 0) return new_zeros(t, indices.sizes());
  const auto lines = [&](const Tensor& x) {
    std::vector<int64_t> sizes(x.sizes().begin(), x.sizes().end() - dims);
    sizes.push_back(-1);
    return reshape(x, sizes);
  };
  return reshape(gather(lines(t), -1, lines(indices)), indices.sizes());
}
Tensor Max2dBack(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved,
                 const Tensor& indices) {
  return AtIndices(g, indices, 2);
}
Tensor Max3dBack(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved, Unsaved,
                 const Tensor& indices) {
  return AtIndices(g, indices, 3);
}
const Gradient max2d_back_grad{"max_pool2d_with_indices_backward", For("grad_output", Max2dBack)};
const Gradient max3d_back_grad{"max_pool3d_with_indices_backward", For("grad_output", Max3dBack)};
Tensor AdaptiveMax2dBack(const Grad& g, Unsaved, Unsaved, const Tensor& indices) {
  return AtIndices(g, indices, 2);
}
Tensor AdaptiveMax3dBack(const Grad& g, Unsaved, Unsaved, const Tensor& indices) {
  return AtIndices(g, indices, 3);
}
const Gradient adaptive_max2d_back_grad{"adaptive_max_pool2d_backward",
                                        For("grad_output", AdaptiveMax2dBack)};
const Gradient adaptive_max3d_back_grad{"adaptive_max_pool3d_backward",
                                        For("grad_output", AdaptiveMax3dBack)};
Tensor Fractional2dBack(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved, const Tensor& indices) {
  return AtIndices(g, indices, 2);
}
Tensor Fractional3dBack(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved, const Tensor& indices) {
  return AtIndices(g, indices, 3);
}
const Gradient fractional2d_back_grad{"fractional_max_pool2d_backward",
                                      For("grad_output", Fractional2dBack)};
const Gradient fractional3d_back_grad{"fractional_max_pool3d_backward",
                                      For("grad_output", Fractional3dBack)};
Tensor Unpool2dSelf(const Grad& g, Unsaved, const Tensor& indices, Unsaved) {
  return AtIndices(g, indices, 2);
}
Tensor Unpool3dSelf(const Grad& g, Unsaved, const Tensor& indices, Unsaved, Unsaved, Unsaved) {
  return AtIndices(g, indices, 3);
}
const Gradient unpool2d_grad{"max_unpool2d", For("self", Unpool2dSelf)};
const Gradient unpool3d_grad{"max_unpool3d", For("self", Unpool3dSelf)};

// --- Columns of patches, each the gradient of the other.

Tensor Im2colSelf(const Grad& g, Like self, IntSpan kernel, IntSpan dilation, IntSpan padding,
                  IntSpan stride) {
  return col2im(g, {self.size(-2), self.size(-1)}, kernel, dilation, padding, stride);
}
const Gradient im2col_grad{"im2col", For("self", Im2colSelf)};
Tensor Col2imSelf(const Grad& g, Unsaved, Unsaved, IntSpan kernel, IntSpan dilation,
                  IntSpan padding, IntSpan stride) {
  return im2col(g, kernel, dilation, padding, stride);
}
const Gradient col2im_grad{"col2im", For("self", Col2imSelf)};

}  // namespace
}  // namespace sy
