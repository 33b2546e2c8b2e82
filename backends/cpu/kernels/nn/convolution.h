// Convolutions as products of matrices: what the operator and what it passes back share.
//
//   ConvolveDense(call, y, x, weight, bias, parameters);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CONVOLUTION_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CONVOLUTION_H_

#include "switchyard/backends/common/convolution.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/window.h"

namespace sy::cpu {

// What sums are computed in; all integers as int64, whose low bits are theirs.
constexpr DTypeMask kSummed = Bit(DType::kInt64) | kFloatingTypes;
constexpr DType SummedAs(DType d) { return Contains(kIntegerTypes, d) ? DType::kInt64 : WideOf(d); }

struct ConvolutionProblem {
  Window w;
  int64_t samples, groups, in_channels, out_channels;  // channels: of a group
  size_t item;
  DType dtype;

  // image: what the windows slide over, the input or, transposed, the output; columns: the other.
  static ConvolutionProblem Of(const Tensor& image, const Tensor& weight, const Tensor& columns,
                               IntSpan stride, IntSpan padding, IntSpan dilation, int64_t groups) {
    return {.w = Window::OfConvolution(image, columns, weight, stride, padding, dilation),
            .samples = image.sizes()[0],
            .groups = groups,
            .in_channels = image.sizes()[1] / groups,
            .out_channels = columns.sizes()[1] / groups,
            .item = image.itemsize(),
            .dtype = image.dtype()};
  }
  int64_t taps() const { return w.kernel[0] * w.kernel[1] * w.kernel[2]; }
  int64_t rows() const { return in_channels * taps(); }  // of columns
  // Whether the columns are the image itself.
  bool IsPointwise() const {
    for (int d = 0; d < 3; ++d) {
      if (w.kernel[d] != 1 || w.stride[d] != 1 || w.padding[d] != 0) return false;
    }
    return true;
  }
};

// y = x * weight + bias, all row-major and of one dtype that is not complex.
void ConvolveDense(Call call, const Tensor& y, const Tensor& x, const Tensor& weight,
                   const Tensor& bias, const ConvolutionParameters& c);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CONVOLUTION_H_
