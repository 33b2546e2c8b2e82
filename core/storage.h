// Storage: the bytes behind tensors, counted, shared by every view of them.
//
//   Storage s = t.storage();  s.nbytes();  s.is_same(view.storage());
//
// The first tensor's block holds its Storage, so that a small tensor costs one allocation; the
// block lives until both are gone.
// Owns: its bytes.
// Threads: counts are atomic; contents are the caller's business.
// Errors: other numbers of bytes alone fail: kOutOfMemory, kInvalidArgument.
#ifndef SWITCHYARD_CORE_STORAGE_H_
#define SWITCHYARD_CORE_STORAGE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <utility>

#include "switchyard/core/allocator.h"
#include "switchyard/core/device.h"
#include "switchyard/core/key_word.h"
#include "switchyard/core/macros.h"
#include "switchyard/core/pool.h"

namespace sy {

// Of tensors and storages.
class RefCount {
 public:
  RefCount() = default;
  // For objects that are never freed.
  constexpr explicit RefCount(uint32_t n) : n_(n) {}
  // One reference, of who makes the object.
  void Init() { n_.store(1, std::memory_order_relaxed); }
  void Increment() { n_.fetch_add(1, std::memory_order_relaxed); }
  // True when the caller held the last reference; then nobody else can see the object and the count
  // stays at 1, which spares temporaries the locked instruction.
  bool Decrement() { return n_.load(std::memory_order_acquire) == 1 || DecrementShared(); }
  // For objects that probably have other owners.
  bool DecrementShared() { return n_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  // A guess where other threads hold references too: for tests, and for "am I the only one".
  uint32_t count() const { return n_.load(std::memory_order_relaxed); }

 private:
  std::atomic<uint32_t> n_;
};

// No shape, no dtype; a device only through its allocator and the tensors that show it.
struct StorageImpl {
  RefCount refs;
  std::atomic<uint32_t> marks;  // kConstant; the other bits count writes
  void* data;                   // null where the device has no bytes
  size_t nbytes;                // as asked for; what lies behind may be more
  Allocator* allocator;         // null: the bytes lie in the block, or there are none
  void* context;                // Allocation::context

  static constexpr uint32_t kConstant = 1;  // its bytes never change again (core/constant.h)
  // Writes by operators so far, by whatever view; it wraps. Two plain instructions each: threads
  // that write one storage at once may be counted as one.
  uint32_t writes() const { return marks.load(std::memory_order_relaxed) >> 1; }
  void CountWrite() {
    marks.store(marks.load(std::memory_order_relaxed) + 2, std::memory_order_relaxed);
  }
  // One reference and no marks, by one store: every tensor that is made pays for it.
  void Init() {
    const uint64_t word = 1;
    static_assert(sizeof(refs) + sizeof(marks) == sizeof(word));
    std::memcpy(static_cast<void*>(&refs), &word, sizeof(word));
  }
};

namespace internal {
// Every StorageImpl lies in the block of the tensor that allocated it, this far from its start.
inline constexpr size_t kStorageOffset = 144;
SY_API void FreeBytes(StorageImpl* s) noexcept;
SY_API bool IsLent(const StorageImpl* s);  // its bytes belong to somebody else
// Replaces the bytes by at least `nbytes`, keeping the contents. Errors: kOutOfMemory, or
// kInvalidArgument where the bytes belong to somebody else (from_blob).
SY_API SY_COLD void GrowStorage(StorageImpl* s, size_t nbytes, DeviceType device, int device_index);
// The same by just as many bytes, fewer too.
SY_API SY_COLD void ResizeStorage(StorageImpl* s, size_t nbytes, DeviceType device,
                                  int device_index);
// The last reference has gone: the bytes, and with them the block of the tensor that allocated.
inline void StorageDead(StorageImpl* s) noexcept {
  if (s->allocator != nullptr) FreeBytes(s);
  PoolFree(reinterpret_cast<char*>(s) - kStorageOffset, 0);
}
}  // namespace internal

// Gives back one reference: the first for storage that probably has one owner, the second for
// shared.
inline void ReleaseStorage(StorageImpl* s) noexcept {
  if (s->refs.Decrement()) internal::StorageDead(s);
}
inline void ReleaseSharedStorage(StorageImpl* s) noexcept {
  if (s->refs.DecrementShared()) internal::StorageDead(s);
}

// A counted handle to the bytes, without shape or dtype. Never empty: it is made of a reference
// that the caller gives away. ATen's Storage; an undefined tensor has one too, of no bytes.
class Storage {
 public:
  // place: of the tensor that shows it.
  Storage(StorageImpl* owned, KeyWord place) : impl_(owned), place_(place) {}
  Storage(const Storage& o) : impl_(o.impl_), place_(o.place_) { impl_->refs.Increment(); }
  Storage& operator=(Storage o) noexcept {
    std::swap(impl_, o.impl_);
    std::swap(place_, o.place_);
    return *this;
  }
  ~Storage() { ReleaseStorage(impl_); }
  // The start of the storage, not of a tensor's first element; null where the device has no bytes.
  void* data() const { return impl_->data; }
  size_t nbytes() const { return impl_->nbytes; }
  // Where the bytes lie.
  SY_API Device device() const;
  // Other bytes for all who show them: the first of those that were, as many as fit. Whoever shows
  // more than is left must not be computed with until it has grown again. Nothing else may use the
  // storage meanwhile. Errors: kOutOfMemory, kInvalidArgument where the bytes belong to somebody
  // else (from_blob) or are constant (sy::freeze). torch.UntypedStorage.resize_.
  SY_API void resize_(size_t nbytes) const;
  uint32_t use_count() const { return impl_->refs.count(); }
  // The same bytes; equal contents do not count.
  bool is_same(const Storage& o) const { return impl_ == o.impl_; }
  StorageImpl* impl() const { return impl_; }

 private:
  StorageImpl* impl_;
  KeyWord place_;
};

// An allocator for bytes that were lent: it frees through the deleter in Allocation::context
// (std::function<void()>*).
SY_API Allocator* LentAllocator();

}  // namespace sy

#endif  // SWITCHYARD_CORE_STORAGE_H_
