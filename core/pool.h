// Blocks of a few fixed sizes, cached per thread: tensors and small host storage.
//
//   void* p = PoolAllocate(PoolClass(300));     // 512 bytes, aligned to 64
//   PoolFree(p, PoolClass(300));
//
// A block may be freed by another thread than the one that took it; long lists move through a
// central store in batches. Memory is kept for reuse and never returned to the system. Under a
// sanitizer every block comes from malloc, so that use after free is found.
// Owns: the free blocks; one that was taken is the caller's.
// Threads: any; no lock but when a thread's list runs empty or full.
// Errors: kOutOfMemory.
#ifndef SWITCHYARD_CORE_POOL_H_
#define SWITCHYARD_CORE_POOL_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "switchyard/core/thread_state.h"

namespace sy {

// Bytes of a block by class. Class 0 is the size of a tensor's block.
inline constexpr uint32_t kPoolBlockBytes[kPoolClasses] = {256, 512, 1024, 4096};
inline constexpr size_t kPoolMaxBytes = kPoolBlockBytes[kPoolClasses - 1];
// Free blocks that a thread keeps to itself, by class.
inline constexpr uint32_t kPoolKeep[kPoolClasses] = {256, 256, 256, 64};

// The smallest class that holds them; bytes: 0 … kPoolMaxBytes.
constexpr int PoolClass(size_t bytes) {
  return bytes <= 256 ? 0 : bytes <= 512 ? 1 : bytes <= 1024 ? 2 : 3;
}

namespace internal {
// Fills the thread's list, from what others gave back or from the system, and takes a block of it.
SY_API SY_COLD void* PoolRefill(int size_class);
// Gives half of a list that is full to the others.
SY_API SY_COLD void PoolFlush(int size_class);
// Memory of the system, in large pages from 4 MiB on where it grants them. Errors: kOutOfMemory.
SY_API SY_COLD void* SystemAllocate(size_t bytes, size_t alignment);
// Registers the calling thread for statistics and for the hand-over at its exit.
SY_API SY_COLD void WatchThread();
}  // namespace internal

// A block that the thread has at hand; null if it has none.
SY_INLINE void* PoolTryAllocate(int size_class) {
  if constexpr (SY_SANITIZED) return internal::SystemAllocate(kPoolBlockBytes[size_class], 64);
  ThreadState& t = thread_state;
  void* p = t.pool_head[size_class];
  if (p == nullptr) [[unlikely]]
    return nullptr;
  t.pool_head[size_class] = *static_cast<void**>(p);
  ++t.pool_room[size_class];
  return p;
}

// Returns a block of kPoolBlockBytes[size_class] bytes, aligned to 64; its contents are undefined.
inline void* PoolAllocate(int size_class) {
  void* p = PoolTryAllocate(size_class);
  return p != nullptr ? p : internal::PoolRefill(size_class);
}

// Gives a block back, under the class that it was taken as. Takes no memory and does not fail.
inline void PoolFree(void* p, int size_class) {
  if constexpr (SY_SANITIZED) return std::free(p);
  ThreadState& t = thread_state;
  *static_cast<void**>(p) = t.pool_head[size_class];
  t.pool_head[size_class] = p;
  if (t.pool_room[size_class]-- == 0) [[unlikely]]  // so it is before the thread's first
    internal::PoolFlush(size_class);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_POOL_H_
