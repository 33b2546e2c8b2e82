// Memory of cuda devices beyond what every accelerator has (switchyard/core/accelerator.h): a
// limit, and what lies where.
//
//   cuda::SetMemoryLimit(0, size_t{8} << 30);      // 8 GiB of device 0
//   for (const cuda::MemorySegment& s : cuda::MemorySnapshot(0)) …
//
// Owns: nothing. Threads: any. Errors: kUnavailable where there is no such device.
#ifndef SWITCHYARD_BACKENDS_CUDA_MEMORY_H_
#define SWITCHYARD_BACKENDS_CUDA_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "switchyard/core/macros.h"

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

// Memory in use and kept for reuse stays below `bytes`; 0: the device's own limit. What would
// exceed it is kOutOfMemory, after what is kept has been given back.
SY_API void SetMemoryLimit(int device_index, size_t bytes);
// A copy of the allocator's books at one moment.
SY_API std::vector<MemorySegment> MemorySnapshot(int device_index);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_MEMORY_H_
