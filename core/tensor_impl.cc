#include "switchyard/core/tensor_impl.h"

#include <algorithm>
#include <cstdlib>

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"

namespace sy {
namespace {

constinit StorageImpl no_storage{};

}  // namespace

constinit TensorImpl undefined_tensor = {.refs = {},
                                         .weak = 0,
                                         .key = 0,
                                         .storage = &no_storage,
                                         .offset = 0,
                                         .numel = 0,
                                         .dims = undefined_tensor.inline_dims,
                                         .ndim = 0,
                                         .flags = kContiguousFlag,
                                         .extension = nullptr,
                                         .inline_dims = {},
                                         .own = {},
                                         .bytes = {}};

namespace internal {

void AllocateDims(TensorImpl* t) {
  if (t->ndim > kMaxRank) {
    const int ndim = t->ndim;
    PoolFree(t, 0);
    Fail(ErrorCode::kInvalidArgument,
         {"tensors have at most ", kMaxRank, " dimensions, got ", ndim});
  }
  t->dims = static_cast<int64_t*>(std::malloc(sizeof(int64_t) * 2 * t->ndim));
  if (t->dims == nullptr) {
    PoolFree(t, 0);
    Fail(ErrorCode::kOutOfMemory, "cpu: out of memory for a tensor's sizes");
  }
}

void AllocateBytes(TensorImpl* t, size_t nbytes) {
  StorageImpl* s = &t->own;
  s->allocator = nullptr;
  s->data = nullptr;
  Allocator* allocator = row_info[RowOfKey(t->key)].allocator.load(std::memory_order_acquire);
  if (allocator == nullptr || nbytes == 0) return;
  try {
    const Allocation a = allocator->Allocate({.bytes = nbytes, .device_index = IndexOfKey(t->key)});
    s->data = a.data;
    s->context = a.context;
    s->allocator = allocator;
  } catch (...) {
    TensorDead(t);
    throw;
  }
}

void FailSizes(IntSpan sizes, DType dtype) {
  for (int64_t n : sizes) {
    if (n < 0) Fail(ErrorCode::kInvalidArgument, {"sizes must not be negative, got ", sizes});
  }
  Fail(ErrorCode::kInvalidArgument,
       {"a tensor of sizes ", sizes, " and dtype ", dtype, " has more than 2^63 - 1 bytes"});
}

void FreeHeader(TensorImpl* t) noexcept {
  if (t->dims != t->inline_dims) std::free(t->dims);
  PoolFree(t, 0);
}

void DestroyUnusual(TensorImpl* t) noexcept {
  StorageImpl* s = t->storage;
  if ((t->flags & kForeignStorageFlag) != 0) {
    ReleaseStorage(s);
    s = &t->own;
  }
  if (s == &t->own) {
    if (t->dims != t->inline_dims) std::free(t->dims);
    return ReleaseStorage(s);
  }
  FreeHeader(t);
  ReleaseStorage(s);
}

TensorImpl* NewStrided(KeyWord key, IntSpan sizes, IntSpan strides) {
  const int ndim = static_cast<int>(sizes.size());
  const DType dtype = DTypeOfKey(key);
  int64_t numel = 1, last = 0;
  bool too_large = false, empty = false;
  for (int i = 0; i < ndim; ++i) {
    if (sizes[i] < 0 || strides[i] < 0) FailSizes(sizes[i] < 0 ? sizes : strides, dtype);
    empty |= sizes[i] == 0;
    int64_t reach = 0;
    too_large |= __builtin_mul_overflow(numel, sizes[i], &numel);
    too_large |= __builtin_mul_overflow(sizes[i] - 1, strides[i], &reach) ||
                 __builtin_add_overflow(last, reach, &last);
  }
  int64_t nbytes = 0;
  too_large |= __builtin_mul_overflow(last + 1, static_cast<int64_t>(ItemSize(dtype)), &nbytes);
  if (too_large && !empty) FailSizes(sizes, dtype);
  TensorImpl* t = NewHeader(key, ndim);
  for (int i = 0; i < ndim; ++i) {
    t->dims[i] = sizes[i];
    t->dims[ndim + i] = strides[i];
  }
  t->numel = empty ? 0 : numel;
  UpdateContiguity(t);
  AttachBytes(t, empty ? 0 : static_cast<size_t>(nbytes));
  return t;
}

void SetGeometry(TensorImpl* t, IntSpan sizes, IntSpan strides, int64_t offset) {
  const int ndim = static_cast<int>(sizes.size());
  // The new dims may be computed from the old ones, so that they are copied before those go.
  int64_t copy[2 * kMaxRank];
  if (ndim > kMaxRank)
    Fail(ErrorCode::kInvalidArgument,
         {"tensors have at most ", kMaxRank, " dimensions, got ", ndim});
  std::copy(sizes.begin(), sizes.end(), copy);
  std::copy(strides.begin(), strides.end(), copy + ndim);
  if (ndim > t->ndim && ndim > kInlineRank) {
    auto* larger = static_cast<int64_t*>(std::malloc(sizeof(int64_t) * 2 * ndim));
    if (larger == nullptr) Fail(ErrorCode::kOutOfMemory, "cpu: out of memory for a tensor's sizes");
    if (t->dims != t->inline_dims) std::free(t->dims);
    t->dims = larger;
  }
  t->ndim = static_cast<uint8_t>(ndim);
  std::copy_n(copy, 2 * ndim, t->dims);
  t->numel = NumElements({t->dims, t->ndim});
  t->offset = offset;
  UpdateContiguity(t);
}

void Resize(TensorImpl* t, IntSpan sizes, IntSpan strides) {
  const int64_t extent = StorageExtent(sizes, strides);
  if (extent != 0) {
    const size_t nbytes = static_cast<size_t>(t->offset + extent) * ItemSize(t->dtype());
    GrowStorage(t->storage, nbytes, {RowOfKey(t->key)}, IndexOfKey(t->key));
  }
  SetGeometry(t, sizes, strides, t->offset);
}

bool AdoptStorage(TensorImpl* t, TensorImpl* from) {
  StorageImpl* old = t->storage;
  if (old->refs.count() != 1 || old->allocator == LentAllocator() || t->key != from->key)
    return false;
  SetGeometry(t, {from->sizes(), from->ndim}, {from->strides(), from->ndim}, from->offset);
  from->storage->refs.Increment();
  t->storage = from->storage;
  if (old == &t->own) {  // its bytes go now, its block with the tensor
    if (old->allocator != nullptr) FreeBytes(old);
    old->allocator = nullptr;
    old->data = nullptr;
    old->nbytes = 0;
    t->flags |= kForeignStorageFlag;
  } else {
    ReleaseStorage(old);
  }
  return true;
}

}  // namespace internal
}  // namespace sy
