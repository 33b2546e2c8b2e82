// Batch norm by cuDNN.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_BATCH_NORM_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_BATCH_NORM_H_

#include "switchyard/op/kernel.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy::cuda {

// Row-major inputs of float16, float32 and float64 that have something behind the channels. False,
// and nothing done, for others, and where there is no cuDNN or it does not serve.

// As _native_batch_norm_legit; running_mean and running_var may be undefined in training.
bool DnnBatchNorm(Call call, const Tensor& out, const Tensor& saved_mean,
                  const Tensor& saved_factor, const Tensor& input, const Tensor& weight,
                  const Tensor& bias, const Tensor& running_mean, const Tensor& running_var,
                  bool training, double momentum, double eps);
// What training passes back into `made`, where that has a gradient of input.
bool DnnBatchNormBackward(Call call, const Gradients& made, const Tensor& grad_out,
                          const Tensor& input, const Tensor& weight, const Tensor& saved_mean,
                          const Tensor& saved_factor, double eps);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_BATCH_NORM_H_
