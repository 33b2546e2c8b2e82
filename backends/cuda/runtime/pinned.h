// Host memory that devices of this backend copy from and to, and write, while the host goes on.
//
// Owns: what it keeps for reuse. Threads: any.
// Errors: kOutOfMemory.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_PINNED_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_PINNED_H_

#include "switchyard/core/allocator.h"

namespace sy::cuda {

Allocator* PinnedAllocator();

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_PINNED_H_
