// Counters of blocks that are done with their part of a launch, for IsLastBlock (device/block.h),
// so that the last one goes on with what all have left and no second launch is needed.
//
//   args.counters = CountersOf(stream);        // null: two launches
//
// A launch finds 0 in each and leaves 0; launches that use them at a time must be one: they are the
// stream's own, or, while a graph is captured, the graph's and the stream's.
// Owns: the stream's, for the process; a graph's as long as it is there.
// Threads: any.
// Errors: kOutOfMemory and kUnavailable as the driver's.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_COUNTERS_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_COUNTERS_H_

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {

inline constexpr int64_t kCounters = CudaStream::kCounters;

// kCounters of them for what is queued on `stream` now. Null while others capture it, who may
// replay what they have captured twice at a time, and of a handle that means several streams.
unsigned* CountersOf(CudaStream& stream);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_COUNTERS_H_
