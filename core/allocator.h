// Where storage bytes come from: one allocator per device type.
//
//   Allocation a = HostAllocator()->Allocate({.bytes = 4096});
//   HostAllocator()->Free(a, 4096);
//
// A backend offers one (DeviceBackend::allocator), and a second one for pinned memory if it has
// such.
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
  size_t bytes;           // above 0: nobody asks for none
  size_t alignment = 64;  // in bytes, a power of 2
  int device_index = 0;
  StreamHandle stream = nullptr;  // memory is reusable in its order; null: the current one
  uint64_t pool = 0;              // 0: the device's; others are private, for captured graphs
};

// What Free is given back, as it was.
struct Allocation {
  void* data = nullptr;     // an address, or a handle where the device has no addresses
  void* context = nullptr;  // the allocator's own
};

// What a backend derives from for its memory. Blocks may be given back by another thread than the
// one that took them, and in any order.
class SY_API Allocator {
 public:
  virtual ~Allocator() = default;
  // Uninitialised memory of at least the bytes asked for. Errors: kOutOfMemory.
  virtual Allocation Allocate(const AllocationRequest& request) = 0;
  // bytes: those that were asked for. In any thread.
  virtual void Free(const Allocation& allocation, size_t bytes) noexcept = 0;
  // The bytes are also used by work queued on `stream`: when they are freed they are not reused
  // before that work is done. Nothing to do where there are no streams.
  virtual void RecordStream(const Allocation&, StreamHandle) {}
  // Whether the bytes belong to somebody else, so that storage of them cannot be resized.
  virtual bool is_lent(const Allocation&) const { return false; }
  // Whether this is host memory that a device copies while the host goes on.
  virtual bool is_pinned() const { return false; }
  // Of one device of the type; the host's is 0.
  virtual MemoryStats Stats(int device_index) const = 0;
  // Makes peak_bytes what is alive now.
  virtual void ResetPeak(int /*device_index*/) {}
  // Gives cached memory back to the system.
  virtual void Trim() {}
  // The most bytes that are held from the system for one device of the type, in use and cached; 0:
  // no limit. False, and nothing done, where the allocator knows none.
  virtual bool SetLimit(int /*device_index*/, size_t /*bytes*/) { return false; }
};

// Host memory: pooled up to 4 kB; larger blocks are kept for reuse when they are freed, until Trim:
// those of 1 MB and more as far as that holds no more than was once alive at one time, those from
// 64 kB on up to 32 MB of them. Below that malloc keeps them. Lives for the process.
SY_API Allocator* HostAllocator();

}  // namespace sy

#endif  // SWITCHYARD_CORE_ALLOCATOR_H_
