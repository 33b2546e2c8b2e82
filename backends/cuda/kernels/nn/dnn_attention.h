// Attention by cuDNN.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_ATTENTION_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_ATTENTION_H_

#include "switchyard/op/kernel.h"

namespace sy::cuda {

// out = softmax(query key^T scale) value, sums = the logarithms of the sums of exponentials; of
// 16-bit floats, without a mask but for the causal one. False, and nothing done, where there is no
// cuDNN or it does not serve.
bool DnnAttention(Call call, const Tensor& out, const Tensor& sums, const Tensor& query,
                  const Tensor& key, const Tensor& value, bool causal, double scale);

// What attention passes back, to be written: sizes and dtype of the three.
struct AttentionGradients {
  Tensor query, key, value;
};
// The same of what was computed so. grad_out: may lie anyhow; sums: those of DnnAttention.
bool DnnAttentionBackward(Call call, const AttentionGradients& to, const Tensor& grad_out,
                          const Tensor& query, const Tensor& key, const Tensor& value,
                          const Tensor& out, const Tensor& sums, bool causal, double scale);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_DNN_ATTENTION_H_
