// Windows as the device is given them.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_WINDOWS_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_WINDOWS_H_

#include "backends/cuda/device/nn_args.h"
#include "switchyard/ops/nn/window.h"

namespace sy::cuda {

inline Windows WindowsOf(const Window& w) {
  Windows to{};
  for (int d = 0; d < 3; ++d) {
    to.inputs[d] = w.inputs[d];
    to.outputs[d] = w.outputs[d];
    to.kernel[d] = w.kernel[d];
    to.stride[d] = w.stride[d];
    to.padding[d] = w.padding[d];
    to.dilation[d] = w.dilation[d];
  }
  return to;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_NN_WINDOWS_H_
