// What normalisations of channels and of groups pass back (device/norm_backward.h): what they
// share.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_ROWS_BACKWARD_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_ROWS_BACKWARD_H_

#include "backends/cuda/device/nn_args.h"
#include "switchyard/op/kernel.h"

namespace sy::cuda {

void ZeroIfAsked(Call call, const Tensor& t);

// args: but for what is written. g, x and to_input have args' rows; what is passed back is written
// where it is defined.
void RunRowsBackward(Call call, NormBackwardArgs args, const Tensor& g, const Tensor& x,
                     const Tensor& to_input, const Tensor& to_weight, const Tensor& to_bias);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_ROWS_BACKWARD_H_
