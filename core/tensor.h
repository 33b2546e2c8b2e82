// Tensor: a counted handle to an n-dimensional view of storage on some device.
//
//   Tensor t = Tensor::Empty({2, 3}, DType::kFloat32);
//   t.sizes()[1] == 3;  t.at<float>(1, 2) = 1;
//
// TensorBase is the part that shape functions see: geometry, dtype and device, no data and no
// ownership. Operators are free functions (switchyard/ops.h): sy::add(a, b), a + b. What it takes
// to write t[0][1] = 5 is there too: see "By operators" below.
//
// A tensor has 0 … kMaxRank dimensions, sizes from 0 on, strides from 0 on, counted in elements.
// 0-dim tensors hold one element. A default-made Tensor is undefined: it stands for an absent one,
// has no elements, sizes [] and no data, and operators refuse it unless their schema says Tensor?.
// Constness is the handle's, as in ATen: a const Tensor& is written through.
// Owns: a reference on the tensor, which owns one on its storage. Copies share.
// Threads: copying and destroying from any thread; contents as the caller arranges.
// Errors: as each function says; a moved-from Tensor is undefined.
#ifndef SWITCHYARD_CORE_TENSOR_H_
#define SWITCHYARD_CORE_TENSOR_H_

#include <concepts>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <utility>

#include "switchyard/core/accessor.h"
#include "switchyard/core/error.h"
#include "switchyard/core/memory_format.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor_impl.h"
#include "switchyard/core/tensor_options.h"

namespace sy {

// Two pointers lead to a size; nothing here allocates, and nothing asks the device.
class TensorBase {
 public:
  // False of a default-made and of a moved-from tensor.
  bool defined() const { return impl_ != &undefined_tensor; }
  // Number of dimensions, 0 … kMaxRank; of an undefined tensor 0.
  int64_t dim() const { return impl_->ndim; }
  // Spans into the tensor: valid while it lives and keeps its geometry.
  Sizes sizes() const { return {impl_->dims, impl_->ndim}; }
  Sizes strides() const { return {impl_->dims + impl_->ndim, impl_->ndim}; }  // in elements
  // Of one dimension, in elements; i: -dim() … dim() - 1. Errors: kOutOfRange; always for 0-dim
  // tensors.
  int64_t size(int64_t i) const { return impl_->sizes()[Wrap(i)]; }
  int64_t stride(int64_t i) const { return impl_->strides()[Wrap(i)]; }
  // Number of elements: the product of the sizes, 1 for 0-dim tensors, 0 for undefined ones.
  int64_t numel() const { return impl_->numel; }
  int64_t storage_offset() const { return impl_->offset; }  // in elements
  // bool where the tensor is undefined.
  DType dtype() const { return impl_->dtype(); }
  // Bytes of one element, and of all elements without the gaps between them.
  size_t itemsize() const { return ItemSize(dtype()); }
  size_t nbytes() const { return static_cast<size_t>(numel()) * itemsize(); }
  SY_API Device device() const;  // the host has no index
  // The device type as an index (core/device.h).
  Row row() const { return RowOfKey(impl_->key); }
  bool is_host() const { return row() == kHostRow; }
  // Strided tensors cost one test; what sparse ones are held as is in core/sparse.h.
  Layout layout() const { return is_strided() ? Layout::kStrided : SparseLayout(); }
  bool is_strided() const { return (impl_->key & kSparseBit) == 0; }
  // Of positions and values (COO), and of compressed rows, as ATen has these names.
  bool is_sparse() const { return layout() == Layout::kSparse; }
  bool is_sparse_csr() const { return layout() == Layout::kSparseCsr; }
  // Elements are integers that stand for numbers (core/quantizer.h); dtype() is that of the
  // integers.
  bool is_quantized() const { return (impl_->key & kQuantizedBit) != 0; }
  // Row-major without gaps: the last dimension has stride 1. Empty and undefined tensors are, and
  // strides of dimensions of size 1 are not looked at. Kept as a flag: asking costs one load.
  bool is_contiguous() const { return (impl_->flags & kContiguousFlag) != 0; }
  // The same in another order of dimensions; false where the rank is not the format's. kPreserve
  // asks as kContiguous does.
  SY_API bool is_contiguous(MemoryFormat format) const;
  // Every element has its own place and there are no gaps, in whatever order of dimensions.
  SY_API bool is_non_overlapping_and_dense() const;
  // The format that empty_like would give a tensor of these strides: channels last where they say
  // so, else contiguous.
  SY_API MemoryFormat suggest_memory_format() const;
  // Made of a number: weak in type promotion (core/promotion.h). ATen's wrapped_number_.
  bool is_wrapped_number() const { return (impl_->flags & kWrappedNumberFlag) != 0; }
  // Whether the elements are the conjugates, or the negatives, of those in memory, which data() and
  // accessors show: views that conj, adjoint and imag give. resolve_conj and resolve_neg write them
  // out.
  bool is_conj() const { return (impl_->key & kConjBit) != 0; }
  bool is_neg() const { return (impl_->key & kNegBit) != 0; }
  // What dispatch reads: dtype, device and layers in one word (core/key_word.h).
  KeyWord key() const { return impl_->key; }
  // The block itself, for the runtime; borrowed. Two handles of one tensor have the same.
  TensorImpl* impl() const { return impl_; }

 protected:
  explicit TensorBase(TensorImpl* impl) : impl_(impl) {}
  SY_API SY_COLD Layout SparseLayout() const;
  // As size()'s argument.
  SY_API int64_t Wrap(int64_t i) const;
  TensorImpl* impl_;
};

// One pointer: pass it by const reference, return it by value. Copying costs an atomic increment.
//
//   Tensor a = Tensor::Empty({4, 6}, DType::kFloat32);
//   Tensor b = a;                                       // the same tensor: b.is_same(a)
//   Tensor c = a.AsStrided({4, 3}, {6, 1}, 3);          // another one on the same storage
//   std::vector<float> mine(6);
//   Tensor d = Tensor::FromBlob(mine.data(), {2, 3});   // of the program's memory, while it lives
//   d.at<float>(1, -1) = 7;                             // mine[5]
class Tensor : public TensorBase {
 public:
  // Undefined.
  Tensor() : TensorBase(&undefined_tensor) {}
  // Takes over one reference.
  explicit Tensor(TensorImpl* owned) : TensorBase(owned) {}
  // Another reference on the same tensor; of an undefined one nothing is counted.
  Tensor(const Tensor& o) : TensorBase(o.impl_) {
    if (impl_ != &undefined_tensor) impl_->refs.Increment();
  }
  // The other is undefined afterwards.
  Tensor(Tensor&& o) noexcept : TensorBase(std::exchange(o.impl_, &undefined_tensor)) {}
  // A variable is made to name another tensor; what an expression names is written: see below.
  Tensor& operator=(const Tensor& o) & {
    Tensor(o).swap(*this);
    return *this;
  }
  Tensor& operator=(Tensor&& o) & noexcept {
    Tensor(std::move(o)).swap(*this);
    return *this;
  }
  ~Tensor() {
    if (impl_ != &undefined_tensor && impl_->refs.Decrement()) internal::TensorDead(impl_);
  }
  // Handles change places; nothing is counted.
  void swap(Tensor& o) noexcept { std::swap(impl_, o.impl_); }

  // Uninitialised, row-major. Errors: kInvalidArgument for sizes below 0 or beyond 2^63 bytes,
  // kOutOfMemory, kUnavailable when the device has no backend here.
  SY_API static Tensor Empty(IntSpan sizes, DType dtype, Device device = {kHost});
  static Tensor Empty(std::initializer_list<int64_t> sizes, DType dtype, Device device = {kHost}) {
    return Empty(IntSpan(sizes.begin(), sizes.size()), dtype, device);
  }
  // Uninitialised, with storage just as large as the strides reach. strides: in elements, >= 0; 0
  // lets elements share a place. Errors: as Empty's, kInvalidArgument also for negative strides and
  // where the lengths differ.
  SY_API static Tensor EmptyStrided(IntSpan sizes, IntSpan strides, DType dtype,
                                    Device device = {kHost});
  static Tensor EmptyStrided(std::initializer_list<int64_t> sizes,
                             std::initializer_list<int64_t> strides, DType dtype,
                             Device device = {kHost}) {
    return EmptyStrided(IntSpan(sizes), IntSpan(strides), dtype, device);
  }
  // Host memory that belongs to the caller; `deleter` runs when the last view dies, in whatever
  // thread that is, and throws nothing. data must hold all elements. strides: in elements, >= 0;
  // without them, rows of elements without gaps. The dtype is that of the pointer unless given.
  // Errors: kInvalidArgument for sizes and strides that do not fit; then `deleter` does not run.
  SY_API static Tensor FromBlob(void* data, IntSpan sizes, DType dtype,
                                std::function<void()> deleter = {});
  SY_API static Tensor FromBlob(void* data, IntSpan sizes, IntSpan strides, DType dtype,
                                std::function<void()> deleter = {});
  static Tensor FromBlob(void* data, std::initializer_list<int64_t> sizes, DType dtype,
                         std::function<void()> deleter = {}) {
    return FromBlob(data, IntSpan(sizes), dtype, std::move(deleter));
  }
  static Tensor FromBlob(void* data, std::initializer_list<int64_t> sizes,
                         std::initializer_list<int64_t> strides, DType dtype,
                         std::function<void()> deleter = {}) {
    return FromBlob(data, IntSpan(sizes), IntSpan(strides), dtype, std::move(deleter));
  }
  template <ElementType T>
  static Tensor FromBlob(T* data, IntSpan sizes, std::function<void()> deleter = {}) {
    return FromBlob(data, sizes, DTypeOf<T>, std::move(deleter));
  }
  template <ElementType T>
  static Tensor FromBlob(T* data, IntSpan sizes, IntSpan strides,
                         std::function<void()> deleter = {}) {
    return FromBlob(data, sizes, strides, DTypeOf<T>, std::move(deleter));
  }
  template <ElementType T>
  static Tensor FromBlob(T* data, std::initializer_list<int64_t> sizes,
                         std::function<void()> deleter = {}) {
    return FromBlob(data, IntSpan(sizes), DTypeOf<T>, std::move(deleter));
  }
  template <ElementType T>
  static Tensor FromBlob(T* data, std::initializer_list<int64_t> sizes,
                         std::initializer_list<int64_t> strides,
                         std::function<void()> deleter = {}) {
    return FromBlob(data, IntSpan(sizes), IntSpan(strides), DTypeOf<T>, std::move(deleter));
  }

  // Address of the first element, on another device than the host an address or handle of that
  // device; of a tensor without elements any. Where there are no bytes (meta, undefined) it is no
  // address, and null only at offset 0.
  void* data() const { return impl_->data(); }
  // The same, typed. T: the C++ type of the dtype (SY_FORALL_DTYPES).
  // Errors: kInvalidArgument when T is not the element type.
  template <class T>
  T* data() const {
    if (dtype() != DTypeOf<T>) [[unlikely]]
      FailDataType(DTypeOf<T>);
    return static_cast<T*>(impl_->data());
  }
  // One element, at a position for each dimension; negative ones count from the end.
  // Errors: kInvalidArgument when T is not the element type, the tensor is not on the host or the
  // count of positions is not dim(); kOutOfRange. For loops, take an accessor or data().
  template <ElementType T, std::integral... I>
  T& at(I... position) const {
    const int64_t all[] = {static_cast<int64_t>(position)..., 0};
    return data<T>()[OffsetOf({all, sizeof...(I)})];
  }
  // The elements of a host tensor of N dimensions, for loops: core/accessor.h. Valid while the
  // tensor lives and keeps its geometry. Errors: kInvalidArgument as at()'s.
  // T: the element type; N: dim(). 0-dim tensors are read by at<T>().
  template <ElementType T, int N>
  Accessor<T, N> accessor() const& {
    RequireAccess(N);
    return {data<T>(), impl_->sizes(), impl_->strides()};
  }
  template <ElementType T, int N>
  Accessor<T, N> accessor() const&& = delete;  // it would outlive the tensor
  // Another view of the same storage. storage_offset: in elements, from the start of the storage
  // and not of this tensor. Errors: kInvalidArgument when it would reach outside the storage, for
  // negative numbers, or where the lengths differ. Views may overlap themselves; operators refuse
  // to write these.
  SY_API Tensor AsStrided(IntSpan sizes, IntSpan strides, int64_t storage_offset = 0) const;
  Tensor AsStrided(std::initializer_list<int64_t> sizes, std::initializer_list<int64_t> strides,
                   int64_t storage_offset = 0) const {
    return AsStrided(IntSpan(sizes), IntSpan(strides), storage_offset);
  }
  // A handle of its own to the bytes; they live as long as it does.
  Storage storage() const {
    impl_->storage->refs.Increment();
    return Storage(impl_->storage, PlaceOfKey(impl_->key));
  }
  // One tensor, through whichever handles. Equal contents are sy::equal's to tell.
  bool is_same(const Tensor& o) const { return impl_ == o.impl_; }
  // Views of one storage, whether or not they meet (core/overlap.h).
  bool shares_storage_with(const Tensor& o) const { return impl_->storage == o.impl_->storage; }
  // Handles of this tensor; a guess where other threads hold some.
  uint32_t use_count() const { return impl_->refs.count(); }
  // Makes this tensor, for all who hold it, another view of source's storage: its geometry, and,
  // by set_data, its dtype. Nothing else may use the tensor meanwhile. What others show of the
  // former storage stays. Errors: kInvalidArgument where one is undefined, or device or dtype
  // differ; kOutOfMemory.
  SY_API const Tensor& set_(const Tensor& source) const;
  SY_API void set_data(const Tensor& source) const;

  // --- By operators. Their bodies call functions that core neither has nor includes: names that
  // depend on a template's parameter are looked up where these are used, and a program that
  // includes switchyard/ops.h has them (ops/api/indexing.h).

  // x[0][1], x(Slice{1, 3}, kAll, -1): views; by tensors, elements that can be read and assigned.
  template <class I>
  auto operator[](const I& i) const {
    return At(*this, i);
  }
  template <class... I>
  auto operator()(const I&... i) const {
    return At(*this, i...);
  }
  // x[0][1] = 5, x(kAll, 0) = y: writes the elements that an expression names.
  template <class V>
  Tensor operator=(const V& v) && {
    AssignTo(*this, v);
    return std::move(*this);
  }
  // The only element, as a T; a Scalar unless one asks. Errors: kInvalidArgument where there are
  // more or T cannot hold it.
  template <class T = Scalar>
  T item() const {
    return ItemOf(*this, static_cast<T*>(nullptr));
  }
  // x.to("cuda:0"), x.to(DType::kFloat64), x.to({.dtype = …, .device = …}): x itself where nothing
  // changes.
  template <class O = Options, class... Rest>
  auto to(const O& option, const Rest&... rest) const {
    return ToOf(*this, option, rest...);
  }
  // Gives the reference to the caller; this becomes undefined.
  TensorImpl* release() { return std::exchange(impl_, &undefined_tensor); }

 private:
  [[noreturn]] SY_API SY_COLD void FailDataType(DType asked) const;
  // Errors: kInvalidArgument unless the tensor is on the host and has this many dimensions.
  SY_API void RequireAccess(int64_t rank) const;
  SY_API int64_t OffsetOf(IntSpan position) const;  // in elements, of data()
};

// Several tensors in a row, as schemas' Tensor[].
using TensorList = std::span<const Tensor>;  // borrowed; entries may be undefined

// A number as a 0-dim host tensor that is weak in type promotion (a "wrapped number"): bool, int64,
// uint64, float64 or complex128, as Scalar::dtype says.
SY_API Tensor NumberTensor(const Scalar& s);

// "float32[2, 3] on cpu", "sparse_csr float32[2, 3] on cpu", "undefined": how messages name a
// tensor.
SY_API std::string Describe(const TensorBase& t);

}  // namespace sy

#endif  // SWITCHYARD_CORE_TENSOR_H_
