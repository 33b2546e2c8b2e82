// The kernels of group copy that are written once for all backends.
//
//   const CopyKernels<Engine> kernels;
//
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_COPY_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_COPY_H_

#include "switchyard/backends/common/kernels/copy/copy.h"

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_COPY_H_
