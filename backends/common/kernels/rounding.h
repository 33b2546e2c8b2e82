// The kernels of group rounding that are written once for all backends.
//
//   const RoundingKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_ROUNDING_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_ROUNDING_H_

#include "switchyard/backends/common/kernels/rounding/round.h"

namespace sy {

template <class E>
struct RoundingKernels {
  RoundKernels<E> round;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_ROUNDING_H_
