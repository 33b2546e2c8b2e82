// Second names of convolution, by convolution.

#include "ops/nn/slow_conv_composite.h"

#include <array>

namespace sy {
namespace {

constexpr ::std::array<int64_t, 1> kZero = {0}, kOne = {1};

void RequireRank(Call call, const Tensor& self, int64_t least, int64_t most) {
  if (self.dim() >= least && self.dim() <= most) return;
  if (least == most) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have ", most, " dimensions, got sizes ", self.sizes()});
  }
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self must have ", least, " or ", most, " dimensions, got sizes ", self.sizes()});
}

Tensor Conv2d(Call call, const Tensor& self, const Tensor& weight, IntSpan kernel_size,
              const Tensor& bias, IntSpan stride, IntSpan padding) {
  RequireRank(call, self, 4, 4);
  return convolution(self, WithKernels(call, weight, self, kernel_size, 2), bias, stride, padding,
                     kOne, false, kZero, 1);
}

// As many groups as self has more channels than weight.
Tensor Conv3d(Call call, const Tensor& self, const Tensor& weight, IntSpan kernel_size,
              const Tensor& bias, IntSpan stride, IntSpan padding) {
  RequireRank(call, self, 5, 5);
  const Tensor kernels = WithKernels(call, weight, self, kernel_size, 3);
  const int64_t channels = kernels.sizes()[1], all = self.sizes()[1];
  const int64_t groups = channels > 0 && all > channels && all % channels == 0 ? all / channels : 1;
  return contiguous(convolution(self, kernels, bias, stride, padding, kOne, false, kZero, groups));
}

template <int kDims>
Tensor Dilated(Call call, const Tensor& self, const Tensor& weight, IntSpan kernel_size,
               const Tensor& bias, IntSpan stride, IntSpan padding, IntSpan dilation) {
  RequireRank(call, self, kDims + 1, kDims + 2);
  const bool batched = self.dim() == kDims + 2;
  const Tensor x = batched ? self : unsqueeze(self, 0);
  const Tensor y = convolution(x, WithKernels(call, weight, x, kernel_size, kDims), bias, stride,
                               padding, dilation, false, kZero, 1);
  return batched ? y : squeeze(y, 0);
}

template <int kDims>
Tensor Transposed(Call call, const Tensor& self, const Tensor& weight, IntSpan kernel_size,
                  const Tensor& bias, IntSpan stride, IntSpan padding, IntSpan output_padding,
                  IntSpan dilation) {
  RequireRank(call, self, kDims + 1, kDims + 2);
  const Tensor x = self.dim() == kDims + 2 ? self : unsqueeze(self, 0);
  if (weight.dim() != kDims + 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"weight must have ", kDims + 2, " dimensions, got sizes ", weight.sizes()});
  }
  const Tensor y = convolution(x, WithKernels(call, weight, x, kernel_size, kDims), bias, stride,
                               padding, dilation, true, output_padding, 1);
  // In two dimensions ATen leaves the batch of one there.
  return kDims == 2 || self.dim() == kDims + 2 ? y : squeeze(y, 0);
}

const Composite thnn_conv2d_body{"thnn_conv2d", Conv2d};
const Composite slow_conv2d_forward_body{"_slow_conv2d_forward", Conv2d};
const Composite slow_conv3d_body{"slow_conv3d", Conv3d};
const Composite slow_conv3d_forward_body{"slow_conv3d_forward", Conv3d};
const Composite dilated2d_body{"slow_conv_dilated2d", Dilated<2>};
const Composite dilated3d_body{"slow_conv_dilated3d", Dilated<3>};
const Composite transposed2d_body{"slow_conv_transpose2d", Transposed<2>};
const Composite transposed3d_body{"slow_conv_transpose3d", Transposed<3>};

}  // namespace
}  // namespace sy
