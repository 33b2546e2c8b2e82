// Convolutions by cuDNN.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_CONVOLUTION_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_CONVOLUTION_H_

#include "switchyard/backends/common/convolution.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// out = input * weight + bias, of one real dtype, as ConvolveReal. False, and nothing done, where
// there is no cuDNN or it does not serve.
bool DnnConvolve(Call call, const Tensor& out, const Tensor& input, const Tensor& weight,
                 const Tensor& bias, const ConvolutionParameters& p);

// to = the weight's gradient. image: what windows slide over, windows: a number for each of them.
bool DnnConvolveWeight(Call call, const Tensor& image, const Tensor& windows, const Tensor& to,
                       const ConvolutionParameters& p);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_CONVOLUTION_H_
