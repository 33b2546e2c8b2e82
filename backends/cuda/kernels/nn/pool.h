// Pooling with windows that are given or that divide the input (device/pool.h).
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_POOL_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_POOL_H_

#include "backends/cuda/device/nn_args.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/ops/nn/window.h"

namespace sy::cuda {

// function: of device/pool.h. args: what is of the function itself. places: null where not asked
// for.
void RunPool(Call call, const char* function, const Window& w, const Tensor& out,
             const Tensor* places, const Tensor& self, PoolArgs args);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_POOL_H_
