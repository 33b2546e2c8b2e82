// Where storage bytes come from: one allocator per device type.
//
// Owns: an allocator owns its caches; a Storage gives its bytes back when it dies.
// Threads: every method from any thread.
// Errors: Allocate throws kOutOfMemory, naming what was asked and what is alive.
#ifndef SWITCHYARD_CORE_ALLOCATOR_H_
#define SWITCHYARD_CORE_ALLOCATOR_H_

#include <cstddef>
#include <cstdint>

#include "switchyard/core/macros.h"
#include "switchyard/core/memory_stats.h"

namespace sy {

class StreamImpl;
// The queue of a device in whose order memory is used and bytes are copied (core/stream_impl.h).
using StreamHandle = StreamImpl*;

struct AllocationRequest {
  size_t bytes;
  size_t alignment = 64;
  int device_index = 0;
  StreamHandle stream = nullptr;  // memory is reusable in its order; null: the current one
  uint64_t pool = 0;              // 0: the device's; others are private, for captured graphs
};

struct Allocation {
  void* data = nullptr;     // an address, or a handle where the device has no addresses
  void* context = nullptr;  // the allocator's own
};

class SY_API Allocator {
 public:
  virtual ~Allocator() = default;
  virtual Allocation Allocate(const AllocationRequest& request) = 0;
  virtual void Free(const Allocation& allocation, size_t bytes) noexcept = 0;
  // The bytes are also used by work queued on `stream`: when they are freed they are not reused
  // before that work is done.
  virtual void RecordStream(const Allocation&, StreamHandle) {}
  // Whether the bytes belong to somebody else, so that storage of them cannot be resized.
  virtual bool is_lent(const Allocation&) const { return false; }
  // Whether this is host memory that a device copies while the host goes on.
  virtual bool is_pinned() const { return false; }
  virtual MemoryStats Stats(int device_index) const = 0;
  virtual void ResetPeak(int /*device_index*/) {}
  // Gives cached memory back to the system.
  virtual void Trim() {}
};

// Host memory: pooled up to 4 kB; blocks of 1 MB and more are kept for reuse when they are freed,
// as far as that holds no more than was once alive at one time, until Trim.
SY_API Allocator* HostAllocator();

}  // namespace sy

#endif  // SWITCHYARD_CORE_ALLOCATOR_H_
