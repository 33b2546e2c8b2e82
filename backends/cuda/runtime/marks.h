// Marks in streams, for memory that waits for them: events that are used again.
//
// Owns: a mark is the caller's until it is reached. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_MARKS_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_MARKS_H_

#include "backends/cuda/runtime/caching_allocator.h"

namespace sy::cuda {

// Behind everything that the stream has been given; null where none can be set now, since a graph
// is captured. Of a wrapped stream that nobody holds any more: behind what it was given until then.
void* SetMark(StreamHandle stream);
// Whether the stream has got there, or, where `wait`, true once it has. The mark is gone then.
bool ReachedMark(void* mark, bool wait);

class MarkedArena : public Arena {
 public:
  void* Mark(StreamHandle stream) final { return SetMark(stream); }
  bool Reached(void* mark, bool wait) final { return ReachedMark(mark, wait); }
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_MARKS_H_
