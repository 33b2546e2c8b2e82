// Tensor: a counted handle to an n-dimensional view of storage on some device.
//
//   Tensor t = Tensor::Empty({2, 3}, DType::kFloat32);
//   t.sizes()[1] == 3;  t.data<float>()[5] = 1;
//
// Meta is the part that shape rules see: geometry, dtype and device, no data and no ownership.
// Operators are free functions (switchyard/ops.h): sy::add(a, b), a + b.
// Owns: a reference on the tensor, which owns one on its storage. Copies share.
// Threads: copying and destroying from any thread; contents as the caller arranges.
// Errors: as each function says; a moved-from Tensor is undefined.
#ifndef SWITCHYARD_CORE_TENSOR_H_
#define SWITCHYARD_CORE_TENSOR_H_

#include <functional>
#include <span>
#include <string>
#include <utility>

#include "switchyard/core/error.h"
#include "switchyard/core/memory_format.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor_impl.h"

namespace sy {

class Meta {
 public:
  bool defined() const { return impl_ != &undefined_tensor; }
  int64_t dim() const { return impl_->ndim; }
  IntSpan sizes() const { return {impl_->dims, impl_->ndim}; }
  IntSpan strides() const { return {impl_->dims + impl_->ndim, impl_->ndim}; }  // in elements
  // i: -dim() … dim() - 1. Errors: kOutOfRange.
  int64_t size(int64_t i) const { return impl_->sizes()[Wrap(i)]; }
  int64_t stride(int64_t i) const { return impl_->strides()[Wrap(i)]; }
  int64_t numel() const { return impl_->numel; }
  int64_t storage_offset() const { return impl_->offset; }  // in elements
  DType dtype() const { return impl_->dtype(); }
  size_t itemsize() const { return ItemSize(dtype()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  SY_API Device device() const;  // the host has no index
  Row row() const { return RowOfKey(impl_->key); }
  bool is_host() const { return row() == kHostRow; }
  Layout layout() const { return Layout::kStrided; }
  bool is_contiguous() const { return (impl_->flags & kContiguousFlag) != 0; }
  SY_API bool is_contiguous(MemoryFormat format) const;
  // Every element has its own place and there are no gaps, in whatever order of dimensions.
  SY_API bool is_non_overlapping_and_dense() const;
  // The format that empty_like would give a tensor of these strides: channels last where they say
  // so, else contiguous.
  SY_API MemoryFormat suggest_memory_format() const;
  bool is_wrapped_number() const { return (impl_->flags & kWrappedNumberFlag) != 0; }
  KeyWord key() const { return impl_->key; }
  TensorImpl* impl() const { return impl_; }

 protected:
  explicit Meta(TensorImpl* impl) : impl_(impl) {}
  SY_API int64_t Wrap(int64_t i) const;
  TensorImpl* impl_;
};

class Tensor : public Meta {
 public:
  Tensor() : Meta(&undefined_tensor) {}
  explicit Tensor(TensorImpl* owned) : Meta(owned) {}
  Tensor(const Tensor& o) : Meta(o.impl_) {
    if (impl_ != &undefined_tensor) impl_->refs.Increment();
  }
  Tensor(Tensor&& o) noexcept : Meta(std::exchange(o.impl_, &undefined_tensor)) {}
  Tensor& operator=(const Tensor& o) {
    Tensor(o).swap(*this);
    return *this;
  }
  Tensor& operator=(Tensor&& o) noexcept {
    Tensor(std::move(o)).swap(*this);
    return *this;
  }
  ~Tensor() {
    if (impl_ != &undefined_tensor && impl_->refs.Decrement()) internal::TensorDead(impl_);
  }
  void swap(Tensor& o) noexcept { std::swap(impl_, o.impl_); }

  // Uninitialised, row-major. Errors: kInvalidArgument for sizes below 0 or beyond 2^63 bytes,
  // kOutOfMemory, kUnavailable when the device has no backend here.
  SY_API static Tensor Empty(IntSpan sizes, DType dtype, Device device = {kHost});
  static Tensor Empty(std::initializer_list<int64_t> sizes, DType dtype, Device device = {kHost}) {
    return Empty(IntSpan(sizes.begin(), sizes.size()), dtype, device);
  }
  // strides: in elements, >= 0.
  SY_API static Tensor EmptyStrided(IntSpan sizes, IntSpan strides, DType dtype,
                                    Device device = {kHost});
  // Host memory that belongs to the caller; `deleter` runs when the last view dies, in whatever
  // thread that is, and throws nothing. data must hold all elements. strides: in elements, >= 0.
  // Errors: kInvalidArgument for sizes and strides that do not fit; then `deleter` does not run.
  SY_API static Tensor FromBlob(void* data, IntSpan sizes, DType dtype,
                                std::function<void()> deleter = {});
  SY_API static Tensor FromBlob(void* data, IntSpan sizes, IntSpan strides, DType dtype,
                                std::function<void()> deleter = {});

  // Address of the first element; null without bytes (meta, undefined).
  void* data() const { return impl_->data(); }
  // Errors: kInvalidArgument when T is not the element type.
  template <class T>
  T* data() const {
    if (dtype() != DTypeOf<T>) [[unlikely]]
      FailDataType(DTypeOf<T>);
    return static_cast<T*>(impl_->data());
  }
  // Another view of the same storage. Errors: kInvalidArgument when it would reach outside the
  // storage.
  SY_API Tensor AsStrided(IntSpan sizes, IntSpan strides, int64_t storage_offset) const;
  Storage storage() const {
    impl_->storage->refs.Increment();
    return Storage(impl_->storage);
  }
  bool is_same(const Tensor& o) const { return impl_ == o.impl_; }
  bool shares_storage_with(const Tensor& o) const { return impl_->storage == o.impl_->storage; }
  uint32_t use_count() const { return impl_->refs.count(); }
  // Gives the reference to the caller; this becomes undefined.
  TensorImpl* release() { return std::exchange(impl_, &undefined_tensor); }

 private:
  [[noreturn]] SY_API SY_COLD void FailDataType(DType asked) const;
};

// Several tensors in a row, as schemas' Tensor[].
using TensorList = std::span<const Tensor>;

// A number as a 0-dim host tensor that is weak in type promotion (a "wrapped number").
SY_API Tensor NumberTensor(const Scalar& s);

// "float32[2, 3] on cpu", "undefined": how messages name a tensor.
SY_API std::string Describe(const Meta& t);

}  // namespace sy

#endif  // SWITCHYARD_CORE_TENSOR_H_
