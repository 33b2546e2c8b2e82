// The kernels of group nn that are written once for all backends.
//
//   const NnKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_H_

#include "switchyard/backends/common/kernels/nn/elementwise_loss.h"
#include "switchyard/backends/common/kernels/nn/elementwise_loss_backward.h"

namespace sy {

template <class E>
struct NnKernels {
  ElementwiseLossKernels<E> elementwise_loss;
  ElementwiseLossBackwardKernels<E> elementwise_loss_backward;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_NN_H_
