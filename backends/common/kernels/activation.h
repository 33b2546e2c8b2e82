// The kernels of group activation that are written once for all backends.
//
//   const ActivationKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_H_

#include "switchyard/backends/common/kernels/activation/backward.h"
#include "switchyard/backends/common/kernels/activation/elu.h"
#include "switchyard/backends/common/kernels/activation/gelu.h"
#include "switchyard/backends/common/kernels/activation/glu.h"
#include "switchyard/backends/common/kernels/activation/hardtanh.h"
#include "switchyard/backends/common/kernels/activation/logit.h"

namespace sy {

template <class E>
struct ActivationKernels {
  BackwardKernels<E> backward;
  EluKernels<E> elu;
  GeluKernels<E> gelu;
  GluKernels<E> glu;
  HardtanhKernels<E> hardtanh;
  LogitKernels<E> logit;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ACTIVATION_H_
