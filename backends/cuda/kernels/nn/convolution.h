// Convolutions of real numbers: what the operator and what it passes back share.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_CONVOLUTION_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_CONVOLUTION_H_

#include "switchyard/backends/common/convolution.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// Columns of so many bytes are made at a time.
inline constexpr int64_t kColumnBytes = int64_t{256} << 20;

// out = input * weight + bias, of one dtype. rounds: what is added up transposed is rounded each
// time.
void ConvolveReal(Call call, const Tensor& out, const Tensor& input, const Tensor& weight,
                  const Tensor& bias, const ConvolutionParameters& p, bool rounds);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_CONVOLUTION_H_
