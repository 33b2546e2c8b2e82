// The kernels of group complex that are written once for all backends.
//
//   const ComplexKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_COMPLEX_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_COMPLEX_H_

#include "switchyard/backends/common/kernels/complex/conj_physical.h"

namespace sy {

template <class E>
struct ComplexKernels {
  ConjPhysicalKernels<E> conj_physical;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_COMPLEX_H_
