// Marks in streams, for memory that waits for them: events that are used again.
//
// Owns: a mark is the caller's until it is reached. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_MARKS_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_MARKS_H_

#include "backends/cuda/runtime/caching_allocator.h"

namespace sy::cuda {

class MarkedArena : public Arena {
 public:
  void* Mark(StreamHandle stream) final;
  bool Reached(void* mark, bool wait) final;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_MARKS_H_
