// Memory of cuda devices beyond what every accelerator has (switchyard/core/accelerator.h): tensors
// of memory that the program has, a limit, and what lies where.
//
//   float* mine;  cudaMalloc(&mine, 24);
//   sy::Tensor t = cuda::FromBlob(mine, {2, 3}, DType::kFloat32, 0, [=] { cudaFree(mine); });
//
//   cuda::SetMemoryLimit(0, size_t{8} << 30);      // 8 GiB of device 0
//   for (const cuda::MemorySegment& s : cuda::MemorySnapshot(0)) …
//
// Owns: nothing. Threads: any. Errors: kUnavailable where there is no such device.
#ifndef SWITCHYARD_BACKENDS_CUDA_MEMORY_H_
#define SWITCHYARD_BACKENDS_CUDA_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/tensor.h"

namespace sy::cuda {

// A piece of a segment.
struct MemoryBlock {
  size_t bytes;
  enum State : uint8_t { kFree, kAlive, kAwaited } state;  // kAwaited: freed, other streams use it
};
// Memory as the driver gave it, cut into blocks.
struct MemorySegment {
  const void* address;
  size_t bytes;
  const void* stream;               // in whose order it is reused: StreamImpl*
  uint64_t pool;                    // 0: the device's; others are captured graphs'
  std::vector<MemoryBlock> blocks;  // in the order of addresses
};

// A tensor of the caller's memory on a device, without a copy. `deleter` runs when the last view
// has died and what was queued on it is done: in the streams that were current when this was called
// and when the last view died, and those that it was recorded for (RecordStream); in whatever
// thread finds that out, when memory is allocated or freed, or the device is waited for. It throws
// nothing. strides: in elements, >= 0; without them, rows of elements without gaps. What others
// still write there on streams of theirs the current stream must have been made to wait for.
// Errors: kInvalidArgument for sizes and strides that do not fit, addresses that do not fit the
// dtype, and memory that does not lie on the device or is too short; then `deleter` does not run.
SY_API Tensor FromBlob(void* data, IntSpan sizes, IntSpan strides, DType dtype, int device_index,
                       std::function<void()> deleter = {});
SY_API Tensor FromBlob(void* data, IntSpan sizes, DType dtype, int device_index,
                       std::function<void()> deleter = {});

// --- What became of memory, and who had it.

struct MemoryEvent {
  // kReserved, kReleased: from and to the driver, memory that is cut into blocks.
  enum Kind : uint8_t { kAllocated, kFreed, kReserved, kReleased, kOutOfMemory } kind;
  int64_t time_ns;  // of std::chrono::steady_clock
  const void* address;
  size_t bytes;
  const void* stream;  // StreamImpl*
  // Of what is allocated: the thread's MemoryOwners from the outermost on, and the operator that
  // was launched next: "step/encoder/mm". Empty: none was.
  std::string owner;
};
// From here on; what came before is forgotten. max_events: then the oldest ones are. 0: no longer.
SY_API void RecordMemoryHistory(int device_index, size_t max_events = size_t{1} << 20);
// In the order in which it happened.
SY_API std::vector<MemoryEvent> MemoryHistory(int device_index);
// The same as a page that a browser shows: who held how much over time, in one picture, and what
// was held where there was most. Of blocks that were there before, it knows nothing.
SY_API std::string MemoryHistoryPage(int device_index);
// Names what the thread allocates while it lives.
class SY_API MemoryOwner {
 public:
  explicit MemoryOwner(std::string_view name);
  ~MemoryOwner();
  MemoryOwner(const MemoryOwner&) = delete;
  MemoryOwner& operator=(const MemoryOwner&) = delete;
};

// Memory in use and kept for reuse stays below `bytes`; 0: the device's own limit. What would
// exceed it is kOutOfMemory, after what is kept has been given back.
SY_API void SetMemoryLimit(int device_index, size_t bytes);
// A copy of the allocator's books at one moment.
SY_API std::vector<MemorySegment> MemorySnapshot(int device_index);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_MEMORY_H_
