#include "switchyard/core/tensor_impl.h"

#include <algorithm>
#include <complex>
#include <cstdlib>
#include <memory>

#include "switchyard/core/error.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/tensor.h"

namespace sy {
namespace {

// One reference that is never given back: handles and views of undefined tensors count here too.
constinit StorageImpl no_storage{.refs = RefCount(1),
                                 .marks = 0,
                                 .data = nullptr,
                                 .nbytes = 0,
                                 .allocator = nullptr,
                                 .context = nullptr};

}  // namespace

constinit TensorImpl undefined_tensor = {{},
                                         /*refs=*/{},
                                         /*key=*/KeyWord{kUndefinedBit} << kLayerShift,
                                         /*storage=*/&no_storage,
                                         /*offset=*/0,
                                         /*numel=*/0,
                                         /*dims=*/undefined_tensor.inline_dims,
                                         /*ndim=*/0,
                                         /*flags=*/kContiguousFlag,
                                         /*attached=*/nullptr,
                                         /*inline_dims=*/{},
                                         /*own=*/{},
                                         /*bytes=*/{}};

namespace internal {
namespace {

// A block that has no storage yet.
SY_COLD void FreeHeader(TensorImpl* t) noexcept {
  if ((t->flags & kOutsideDimsFlag) != 0) std::free(t->dims);
  PoolFree(t, 0);
}

[[noreturn]] SY_COLD void FailSizes(IntSpan sizes, DType dtype) {
  for (int64_t n : sizes) {
    if (n < 0) Fail(ErrorCode::kInvalidArgument, {"sizes must not be negative, got ", sizes});
  }
  Fail(ErrorCode::kInvalidArgument,
       {"a tensor of sizes ", sizes, " and dtype ", dtype, " has more than 2^63 - 1 bytes"});
}

// Bytes for t->own from the device's allocator, where it has one. Frees the block on failure.
SY_NOINLINE TensorImpl* AllocateBytes(TensorImpl* t, size_t nbytes) {
  StorageImpl* s = &t->own;
  s->allocator = nullptr;
  s->data = nullptr;
  Allocator* allocator = row_info[RowOfKey(t->key)].allocator.load(std::memory_order_acquire);
  if (allocator == nullptr || nbytes == 0) return t;
  try {
    const Allocation a = allocator->Allocate({.bytes = nbytes, .device_index = IndexOfKey(t->key)});
    s->data = a.data;
    s->context = a.context;
    s->allocator = allocator;
  } catch (...) {
    TensorDead(t);
    throw;
  }
  return t;
}

// Gives the block storage of its own.
SY_INLINE TensorImpl* AttachBytes(TensorImpl* t, size_t nbytes) {
  StorageImpl* s = &t->own;
  t->storage = s;
  s->Init();
  s->nbytes = nbytes;
  const RowInfo& info = row_info[RowOfKey(t->key)];
  if (static_cast<int64_t>(nbytes) > info.inline_bytes.load(std::memory_order_relaxed)) [[unlikely]]
    return AllocateBytes(t, nbytes);
  s->allocator = nullptr;
  s->data = t->bytes;
  return t;
}

SY_COLD TensorImpl* FailContiguous(TensorImpl* t, IntSpan sizes) {
  const DType dtype = t->dtype();
  FreeHeader(t);
  FailSizes(sizes, dtype);
}

// Sets sizes and strides and gives the block bytes. What is unusual is a call in the last place, so
// that the usual way saves no registers.
SY_INLINE TensorImpl* FinishContiguous(TensorImpl* t, KeyWord key, IntSpan sizes) {
  int64_t *size = t->dims, *strides = t->dims + sizes.size();
  int64_t stride = 1, smallest = 1;
  for (size_t i = sizes.size(); i-- > 0;) {
    const int64_t n = sizes[i];
    size[i] = n;
    strides[i] = stride;
    smallest = n < smallest ? n : smallest;
    if (__builtin_mul_overflow(stride, n > 1 ? n : 1, &stride)) [[unlikely]]
      return FailContiguous(t, sizes);
  }
  // Of an empty tensor too: whoever walks it counts its strides in bytes.
  int64_t nbytes;
  if (__builtin_mul_overflow(stride, static_cast<int64_t>(ItemSize(DTypeOfKey(key))), &nbytes) ||
      smallest < 0) [[unlikely]]
    return FailContiguous(t, sizes);
  const bool empty = smallest == 0;
  t->numel = empty ? 0 : stride;
  t->flags |= kContiguousFlag;
  return AttachBytes(t, empty ? 0 : static_cast<size_t>(nbytes));
}

SY_COLD TensorImpl* NewContiguousSlowly(KeyWord key, IntSpan sizes) {
  return FinishContiguous(NewHeader(key, static_cast<int>(sizes.size())), key, sizes);
}

// In line where the sizes are known.
SY_INLINE TensorImpl* NewContiguousHere(KeyWord key, IntSpan sizes) {
  if (sizes.size() > kInlineRank) [[unlikely]]
    return NewContiguousSlowly(key, sizes);
  auto* t = static_cast<TensorImpl*>(PoolTryAllocate(0));
  if (t == nullptr) [[unlikely]]
    return NewContiguousSlowly(key, sizes);
  SetHeader(t, key, static_cast<int>(sizes.size()));
  return FinishContiguous(t, key, sizes);
}

}  // namespace

TensorImpl* NewContiguous(KeyWord key, IntSpan sizes) { return NewContiguousHere(key, sizes); }

void AllocateDims(TensorImpl* t, int ndim) {
  if (ndim > kMaxRank) {
    PoolFree(t, 0);
    Fail(ErrorCode::kInvalidArgument,
         {"tensors have at most ", kMaxRank, " dimensions, got ", ndim});
  }
  t->dims = static_cast<int64_t*>(std::malloc(sizeof(int64_t) * 2 * ndim));
  if (t->dims == nullptr) {
    PoolFree(t, 0);
    Fail(ErrorCode::kOutOfMemory, "cpu: out of memory for a tensor's sizes");
  }
  t->flags |= kOutsideDimsFlag;
}

void DestroyUnusual(TensorImpl* t) noexcept {
  if ((t->flags & kAttachedFlag) != 0) DestroyAttachments(t);
  StorageImpl* s = t->storage;
  if ((t->flags & kForeignStorageFlag) != 0) {
    ReleaseStorage(s);
    s = &t->own;
  }
  if (s == &t->own) {
    if ((t->flags & kOutsideDimsFlag) != 0) std::free(t->dims);
    return ReleaseStorage(s);
  }
  FreeHeader(t);
  ReleaseStorage(s);
}

TensorImpl* NewStrided(KeyWord key, IntSpan sizes, IntSpan strides) {
  const int ndim = static_cast<int>(sizes.size());
  const DType dtype = DTypeOfKey(key);
  const int64_t extent = StorageExtent(sizes, strides), numel = NumElements(sizes);
  int64_t nbytes = 0;
  if (__builtin_mul_overflow(extent, static_cast<int64_t>(ItemSize(dtype)), &nbytes))
    FailSizes(sizes, dtype);
  TensorImpl* t = NewHeader(key, ndim);
  for (int i = 0; i < ndim; ++i) {
    t->dims[i] = sizes[i];
    t->dims[ndim + i] = strides[i];
  }
  t->numel = numel;
  UpdateContiguity(t);
  AttachBytes(t, static_cast<size_t>(nbytes));
  return t;
}

TensorImpl* NewWithoutBytes(KeyWord key, IntSpan sizes, IntSpan strides) {
  const int64_t numel = NumElements(sizes);
  TensorImpl* t = NewHeader(key, static_cast<int>(sizes.size()));
  std::copy(sizes.begin(), sizes.end(), t->sizes());
  std::copy(strides.begin(), strides.end(), t->strides());
  t->numel = numel;
  UpdateContiguity(t);
  t->storage = &t->own;
  t->own.Init();
  t->own.data = nullptr;
  t->own.nbytes = 0;
  t->own.allocator = nullptr;
  t->own.context = nullptr;
  return t;
}

namespace {

// Sizes, strides and count that a tensor is to have. Whatever may fail, does when this is made:
// giving them to the tensor does not.
class NewGeometry {
 public:
  NewGeometry(IntSpan sizes, IntSpan strides)
      : ndim_(static_cast<int>(sizes.size())), numel_(NumElements(sizes)) {
    if (ndim_ > kMaxRank) {
      Fail(ErrorCode::kInvalidArgument,
           {"tensors have at most ", kMaxRank, " dimensions, got ", ndim_});
    }
    // Beside the old ones, from which they may be computed.
    dims_ = here_;
    if (ndim_ > kInlineRank) {
      outside_.reset(static_cast<int64_t*>(std::malloc(sizeof(int64_t) * 2 * ndim_)));
      if (outside_ == nullptr)
        Fail(ErrorCode::kOutOfMemory, "cpu: out of memory for a tensor's sizes");
      dims_ = outside_.get();
    }
    std::copy(sizes.begin(), sizes.end(), dims_);
    std::copy(strides.begin(), strides.end(), dims_ + ndim_);
  }

  void GiveTo(TensorImpl* t, int64_t offset) noexcept {
    if (outside_ != nullptr) {
      if ((t->flags & kOutsideDimsFlag) != 0) std::free(t->dims);
      t->dims = outside_.release();
      t->flags |= kOutsideDimsFlag;
    } else {
      std::copy_n(here_, 2 * ndim_, t->dims);  // room for these there always is
    }
    t->ndim = static_cast<uint8_t>(ndim_);
    t->numel = numel_;
    t->offset = offset;
    UpdateContiguity(t);
  }

 private:
  struct Free {
    void operator()(int64_t* p) const { std::free(p); }
  };
  int ndim_;
  int64_t numel_;
  int64_t here_[2 * kInlineRank];
  std::unique_ptr<int64_t, Free> outside_;
  int64_t* dims_;
};

}  // namespace

void SetGeometry(TensorImpl* t, IntSpan sizes, IntSpan strides, int64_t offset) {
  NewGeometry(sizes, strides).GiveTo(t, offset);
}

void Resize(TensorImpl* t, IntSpan sizes, IntSpan strides) {
  NewGeometry geometry(sizes, strides);
  const int64_t extent = StorageExtent(sizes, strides);
  if (extent != 0) {
    int64_t end = 0, nbytes = 0;
    if (__builtin_add_overflow(t->offset, extent, &end) ||
        __builtin_mul_overflow(end, static_cast<int64_t>(ItemSize(t->dtype())), &nbytes)) {
      FailSizes(sizes, t->dtype());
    }
    GrowStorage(t->storage, static_cast<size_t>(nbytes), {RowOfKey(t->key)}, IndexOfKey(t->key));
  }
  geometry.GiveTo(t, t->offset);
}

bool AdoptStorage(TensorImpl* t, TensorImpl* from) {
  StorageImpl* old = t->storage;
  if (old->refs.count() != 1 || IsLent(old) || t->key != from->key) return false;
  ShareStorage(t, from);
  return true;
}

void ShareStorage(TensorImpl* t, TensorImpl* from) {
  StorageImpl* old = t->storage;
  SetGeometry(t, {from->sizes(), from->ndim}, {from->strides(), from->ndim}, from->offset);
  t->key = WithDType(t->key, from->dtype());
  if (old == from->storage) return;
  from->storage->refs.Increment();
  t->storage = from->storage;
  if (old != &t->own || (t->flags & kForeignStorageFlag) != 0) return ReleaseStorage(old);
  // Its block goes with the tensor; its bytes go now, unless views show them.
  t->flags |= kForeignStorageFlag;
  if (old->refs.count() != 1) return;
  if (old->allocator != nullptr) FreeBytes(old);
  old->allocator = nullptr;
  old->data = nullptr;
  old->nbytes = 0;
}

}  // namespace internal

Tensor NumberTensor(const Scalar& s) {
  TensorImpl* t = internal::NewContiguousHere(MakeKey(kHostRow, s.dtype()), {});
  t->flags |= kWrappedNumberFlag;
  const auto set = [&](auto value) { *static_cast<decltype(value)*>(t->data()) = value; };
  switch (s.kind()) {
    case Scalar::kBool:
      set(s.To<bool>());
      break;
    case Scalar::kInt:
      set(s.To<int64_t>());
      break;
    case Scalar::kUInt:
      set(s.To<uint64_t>());
      break;
    case Scalar::kDouble:
      set(s.To<double>());
      break;
    case Scalar::kComplex:
      set(s.To<std::complex<double>>());
      break;
  }
  return Tensor(t);
}

}  // namespace sy
