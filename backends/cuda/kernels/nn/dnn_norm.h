// Norms of rows by cuDNN.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_NORM_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_NORM_H_

#include "backends/cuda/device/args.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

// Rows of dtype d, with weights and biases of float32; centred: layer_norm, which has biases, else
// rms_norm. Means and factors, where they are asked for, are float32. False, and nothing done,
// where there is no cuDNN or it does not serve.
bool DnnNormalize(Call call, bool centred, DType d, const NormArgs& args);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_NORM_H_
