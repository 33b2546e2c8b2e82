// Storage: the bytes behind tensors, counted, shared by every view of them.
//
// The first tensor's block holds its Storage, so that a small tensor costs one allocation; the
// block lives until both are gone.
// Owns: its bytes.
// Threads: counts are atomic; contents are the caller's business.
#ifndef SWITCHYARD_CORE_STORAGE_H_
#define SWITCHYARD_CORE_STORAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>

#include "switchyard/core/allocator.h"
#include "switchyard/core/device.h"
#include "switchyard/core/macros.h"
#include "switchyard/core/pool.h"

namespace sy {

class RefCount {
 public:
  RefCount() = default;
  constexpr explicit RefCount(uint32_t n) : n_(n) {}
  void Init() { n_.store(1, std::memory_order_relaxed); }
  void Increment() { n_.fetch_add(1, std::memory_order_relaxed); }
  // True when the caller held the last reference; then nobody else can see the object and the count
  // stays at 1, which spares temporaries the locked instruction.
  bool Decrement() { return n_.load(std::memory_order_acquire) == 1 || DecrementShared(); }
  // For objects that probably have other owners.
  bool DecrementShared() { return n_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  uint32_t count() const { return n_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint32_t> n_;
};

struct StorageImpl {
  RefCount refs;  // 4 bytes after it are free: a count of writes
  void* data;     // null where the device has no bytes
  size_t nbytes;
  Allocator* allocator;  // null: the bytes lie in the block, or there are none
  void* context;         // Allocation::context
};

namespace internal {
// Every StorageImpl lies in the block of the tensor that allocated it, this far from its start.
inline constexpr size_t kStorageOffset = 144;
SY_API void FreeBytes(StorageImpl* s) noexcept;
SY_API bool IsLent(const StorageImpl* s);  // its bytes belong to somebody else
// Replaces the bytes by at least `nbytes`, keeping the contents. Errors: kOutOfMemory, or
// kInvalidArgument where the bytes belong to somebody else (from_blob).
SY_API SY_COLD void GrowStorage(StorageImpl* s, size_t nbytes, DeviceType device, int device_index);
inline void StorageDead(StorageImpl* s) noexcept {
  if (s->allocator != nullptr) FreeBytes(s);
  PoolFree(reinterpret_cast<char*>(s) - kStorageOffset, 0);
}
}  // namespace internal

inline void ReleaseStorage(StorageImpl* s) noexcept {
  if (s->refs.Decrement()) internal::StorageDead(s);
}
inline void ReleaseSharedStorage(StorageImpl* s) noexcept {
  if (s->refs.DecrementShared()) internal::StorageDead(s);
}

// A counted handle to the bytes, without shape or dtype.
class Storage {
 public:
  explicit Storage(StorageImpl* owned) : impl_(owned) {}
  Storage(const Storage& o) : impl_(o.impl_) { impl_->refs.Increment(); }
  Storage& operator=(Storage o) noexcept {
    std::swap(impl_, o.impl_);
    return *this;
  }
  ~Storage() { ReleaseStorage(impl_); }
  void* data() const { return impl_->data; }
  size_t nbytes() const { return impl_->nbytes; }
  uint32_t use_count() const { return impl_->refs.count(); }
  bool is_same(const Storage& o) const { return impl_ == o.impl_; }
  StorageImpl* impl() const { return impl_; }

 private:
  StorageImpl* impl_;
};

// An allocator for bytes that were lent: it frees through the deleter in Allocation::context
// (std::function<void()>*).
SY_API Allocator* LentAllocator();

}  // namespace sy

#endif  // SWITCHYARD_CORE_STORAGE_H_
