// Convolutions as products of matrices: what the operator and what it passes back share.
//
//   ConvolveDense(call, y, x, weight, bias, parameters);
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CONVOLUTION_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CONVOLUTION_H_

#include <algorithm>

#include "switchyard/backends/common/convolution.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/blas/onednn_convolution.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/deterministic.h"
#include "switchyard/core/parallel.h"
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
  // Multiplications.
  int64_t work() const { return samples * groups * out_channels * rows() * w.output_count(); }
  // Whether the library's layouts, of 16 channels side by side, pay for gradients: of large ones
  // with channels for them, or of each channel by itself.
  bool IsForLibrary(int64_t least_channels) const {
    return dtype == DType::kFloat32 && work() >= 1 << 20 &&
           (in_channels >= least_channels || (groups > 1 && in_channels == 1 && out_channels == 1));
  }
  // Whether the columns are the image itself.
  bool IsPointwise() const {
    for (int d = 0; d < 3; ++d) {
      if (w.kernel[d] != 1 || w.stride[d] != 1 || w.padding[d] != 0) return false;
    }
    return true;
  }
};

// As the library takes it, without gaps. groups, in_channels: those of `groups` of the problem's.
ConvolutionShape ShapeFor(const ConvolutionProblem& p, int64_t samples, int64_t groups,
                          int64_t in_channels, int64_t out_channels);
// Parts of a work, each of some of `n` entries: at least `least` of them, as many as threads take,
// or always `least` where results shall not depend on threads. f(first, count).
template <class F>
void ForEachPart(int64_t n, int64_t least, F f) {
  const bool fixed = are_deterministic_algorithms_enabled();
  ParallelFor((n + least - 1) / least, 1, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin, next; i < end; i = next) {
      next = fixed ? i + 1 : end;
      f(i * least, std::min(next * least, n) - i * least);
    }
  });
}
// Output channels that a thread takes at least.
inline int64_t ChannelsOfPart() { return are_deterministic_algorithms_enabled() ? 64 : 32; }

// y = x * weight + bias, all row-major and of one dtype that is not complex.
void ConvolveDense(Call call, const Tensor& y, const Tensor& x, const Tensor& weight,
                   const Tensor& bias, const ConvolutionParameters& c);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_CONVOLUTION_H_
