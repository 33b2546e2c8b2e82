// The kernels of group special that are written once for all backends.
//
//   const SpecialKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_SPECIAL_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_SPECIAL_H_

#include "switchyard/backends/common/kernels/special/polygamma.h"

namespace sy {

template <class E>
struct SpecialKernels {
  PolygammaKernels<E> polygamma;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_SPECIAL_H_
