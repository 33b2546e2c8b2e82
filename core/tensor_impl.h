// The block behind a Tensor: count, key word, geometry, and room for its own Storage and a little
// data.
//
//   TensorImpl* t = internal::NewContiguous(MakeKey(kHostRow, DType::kFloat32), sizes);
//   Tensor owner(t);   // which frees it
//
// Everything that a call and a one-dimensional kernel touch lies in the first cache line. Users
// hold a Tensor (core/tensor.h); this header is for the runtime itself.
// Owns: a reference on its storage.
// Threads: counts are atomic, the rest is fixed once the tensor is shared.
// Errors: as each function says; kOutOfMemory of whatever allocates.
#ifndef SWITCHYARD_CORE_TENSOR_IMPL_H_
#define SWITCHYARD_CORE_TENSOR_IMPL_H_

#include <cstddef>
#include <cstdint>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/key_word.h"
#include "switchyard/core/pool.h"
#include "switchyard/core/sizes.h"
#include "switchyard/core/storage.h"

// A tensor as C programs and plugins hold it (c/values.h: SyTensorRef).
struct SyTensorRef_ {};

namespace sy {

class Attachment;

inline constexpr int kInlineRank = 5;  // sizes and strides up to this rank lie in the block
inline constexpr int kMaxRank = 64;    // one bit each in masks of dimensions

// TensorImpl::flags
inline constexpr uint8_t kContiguousFlag = 1;     // in the order of its dimensions, without gaps
inline constexpr uint8_t kWrappedNumberFlag = 2;  // made from a number: weak in type promotion
inline constexpr uint8_t kForeignStorageFlag =
    4;  // `own` is alive although `storage` points elsewhere (set_)
inline constexpr uint8_t kOutsideDimsFlag = 8;  // sizes and strides lie outside the block
inline constexpr uint8_t kAttachedFlag = 16;    // `attached` is set

// 256 bytes, a block of the pool's class 0: a host tensor of up to 64 bytes and 5 dimensions is one
// block and no more.
struct alignas(64) TensorImpl : SyTensorRef_ {
  RefCount refs;  // 4 bytes after it are free: a count of weak references
  KeyWord key;
  StorageImpl* storage;
  int64_t offset;  // of the first element in the storage, in elements
  int64_t numel;   // product of the sizes
  int64_t* dims;   // ndim sizes, ndim strides in elements; inline_dims up to kInlineRank
  uint8_t ndim;
  uint8_t flags;
  Attachment* attached;  // the tensor's (core/attachment.h); says nothing without its flag
  alignas(64) int64_t inline_dims[2 * kInlineRank];
  StorageImpl own;             // used by the tensor that allocated; outlives it while views exist
  alignas(64) char bytes[64];  // small data

  // ndim of them, in either.
  const int64_t* sizes() const { return dims; }
  const int64_t* strides() const { return dims + ndim; }
  int64_t* sizes() { return dims; }
  int64_t* strides() { return dims + ndim; }
  DType dtype() const { return DTypeOfKey(key); }
  // Of the first element; null where the storage has no bytes and the offset is 0.
  void* data() const {
    return static_cast<char*>(storage->data) + offset * static_cast<int64_t>(ItemSize(dtype()));
  }
};
static_assert(offsetof(TensorImpl, inline_dims) == 64 && sizeof(TensorImpl) == kPoolBlockBytes[0]);
static_assert(offsetof(TensorImpl, own) == internal::kStorageOffset);

// What every undefined Tensor points to. It is never counted and never freed; its key has
// kUndefinedBit and no device.
extern SY_API constinit TensorImpl undefined_tensor;

namespace internal {

// Room for sizes and strides outside the block. Frees the block on failure. Errors: kOutOfMemory,
// kInvalidArgument beyond kMaxRank.
SY_API SY_COLD void AllocateDims(TensorImpl* t, int ndim);
SY_API SY_COLD void DestroyUnusual(TensorImpl* t) noexcept;
SY_API SY_COLD void DestroyAttachments(TensorImpl* t) noexcept;

// Sets the header of a new block, with one reference; sizes, strides, numel and storage are left to
// the caller. ndim: up to kInlineRank, else AllocateDims follows.
SY_INLINE void SetHeader(TensorImpl* t, KeyWord key, int ndim) {
  t->refs.Init();
  t->key = key;
  t->offset = 0;
  t->dims = t->inline_dims;
  t->ndim = static_cast<uint8_t>(ndim);
  t->flags = 0;
}
// A block with header and room for ndim sizes. Errors: kOutOfMemory, kInvalidArgument beyond
// kMaxRank.
inline TensorImpl* NewHeader(KeyWord key, int ndim) {
  auto* t = static_cast<TensorImpl*>(PoolAllocate(0));
  SetHeader(t, key, ndim);
  if (ndim > kInlineRank) [[unlikely]]
    AllocateDims(t, ndim);
  return t;
}

// Row-major without gaps, with storage of its own. sizes: each >= 0. key: dtype and place; layers
// in it are kept. Errors: kInvalidArgument when negative or too large, kOutOfMemory.
SY_API TensorImpl* NewContiguous(KeyWord key, IntSpan sizes);

// Any strides >= 0, storage just large enough. Errors: as above; also for negative strides.
SY_API TensorImpl* NewStrided(KeyWord key, IntSpan sizes, IntSpan strides);

// Any strides; the caller gives `own` its bytes, allocator and context, which are null so far.
SY_API TensorImpl* NewWithoutBytes(KeyWord key, IntSpan sizes, IntSpan strides);

// A block that shares base's storage, with base's key and offset: dims, numel and flags are left to
// the caller.
inline TensorImpl* NewAlias(const TensorImpl* base, int ndim) {
  TensorImpl* t = NewHeader(base->key, ndim);
  t->offset = base->offset;
  t->storage = base->storage;
  t->storage->refs.Increment();
  return t;
}

// Whether sizes and strides are row-major without gaps; sizes 1 and empty tensors do not care.
inline bool DimsAreContiguous(const TensorImpl* t) {
  if (t->numel == 0) return true;
  int64_t expected = 1;
  for (int i = t->ndim - 1; i >= 0; --i) {
    const int64_t n = t->dims[i];
    if (n == 1) continue;
    if (t->dims[t->ndim + i] != expected) return false;
    expected *= n;
  }
  return true;
}

// Brings the flag up to date; sizes, strides and numel are set.
inline void UpdateContiguity(TensorImpl* t) {
  t->flags = static_cast<uint8_t>((t->flags & ~kContiguousFlag) |
                                  (DimsAreContiguous(t) ? kContiguousFlag : 0));
}

// Changes what the tensor shows of its storage, or throws with nothing changed, as the next does.
SY_API void SetGeometry(TensorImpl* t, IntSpan sizes, IntSpan strides, int64_t offset);
// Gives t other sizes and strides, growing its storage where needed; contents are kept. Errors:
// kOutOfMemory, kInvalidArgument for negative sizes or when the storage was lent.
SY_API void Resize(TensorImpl* t, IntSpan sizes, IntSpan strides);
// Moves t to the storage and geometry of `from`, which nobody else uses. False, and nothing done,
// where others could see the difference: t's storage is shared or lent.
SY_API bool AdoptStorage(TensorImpl* t, TensorImpl* from);
// Makes t another view of from's storage, with its geometry and dtype. t's own storage goes with
// the last view of it, or with t. Both on one device. Errors: kOutOfMemory, and nothing is done.
SY_API void ShareStorage(TensorImpl* t, TensorImpl* from);

// The last reference has gone. Frees bytes through the allocator, which may run a lender's deleter.
inline void TensorDead(TensorImpl* t) noexcept {
  if ((t->flags & (kForeignStorageFlag | kOutsideDimsFlag | kAttachedFlag)) != 0) [[unlikely]]
    return DestroyUnusual(t);
  StorageImpl* s = t->storage;
  if (s == &t->own) return ReleaseStorage(s);  // the block goes with the storage
  PoolFree(t, 0);
  ReleaseSharedStorage(s);  // a view
}

}  // namespace internal
}  // namespace sy

#endif  // SWITCHYARD_CORE_TENSOR_IMPL_H_
