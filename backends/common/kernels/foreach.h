// The kernels of group foreach that are written once for all backends.
//
//   const ForeachKernels<Steps> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_H_

#include "switchyard/backends/common/kernels/foreach/fused.h"

namespace sy {

// S: see fused.h.
template <class S>
struct ForeachKernels {
  FusedKernels<S> fused;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_FOREACH_H_
