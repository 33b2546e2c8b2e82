// Tensors and numbers as kernels of plugins see them.
//
//   ForEach([&](int64_t o, int64_t i) { Store(out, o, Load<double>(x, i)); }, out, x);
//
// Part of switchyard/c/plugin.hpp, which includes it.
// Owns: nothing: views end with the call.
// Threads: any.
// Errors: Declined where a dtype is not served.
#ifndef SWITCHYARD_C_TENSOR_HPP_
#define SWITCHYARD_C_TENSOR_HPP_

#include <array>
#include <optional>
#include <tuple>

#include "switchyard/c/elements.hpp"

namespace sy::abi {

// A tensor as the host shows it: a pointer to its SyTensor, which lives as long as the call. All
// but defined() need a defined one.
class Tensor {
 public:
  // Undefined.
  Tensor() = default;
  // null: undefined.
  explicit Tensor(const SyTensor* view) : view_(view) {}
  // False for an absent optional argument, and for undefined tensors in lists.
  bool defined() const { return view_ != nullptr; }
  int64_t dim() const { return view_->ndim; }
  // dim() entries; strides in elements, 0 where a dimension is expanded. [] for 0-dim tensors.
  Span<const int64_t> sizes() const { return {view_->sizes, view_->ndim}; }
  Span<const int64_t> strides() const { return {view_->strides, view_->ndim}; }
  // i: 0 … dim() - 1, unchecked.
  int64_t size(int64_t i) const { return view_->sizes[i]; }
  int64_t stride(int64_t i) const { return view_->strides[i]; }
  // The product of the sizes: 1 for 0-dim tensors, 0 for empty ones.
  int64_t numel() const { return view_->numel; }
  // Of the elements; Call::dtype() is what to compute in, which need not be the same.
  DType dtype() const { return {view_->dtype}; }
  // Row-major without gaps.
  bool is_contiguous() const { return (view_->flags & SY_TENSOR_CONTIGUOUS) != 0; }
  // Its elements never change again: what is made of them may be kept (Call::State).
  bool is_constant() const { return (view_->flags & SY_TENSOR_CONSTANT) != 0; }
  // The first element.
  void* data() const { return view_->data; }
  // Null where kernels of this device may not compute with addresses. Not checked: kernels know
  // what they are registered for.
  template <class T>
  T* data() const {
    return static_cast<T*>(view_->data);
  }
  // What the device's `allocate` gave, and where in it the tensor begins, in bytes: for devices
  // whose handles are no addresses. Null on other devices and for empty tensors.
  const SyBuffer* buffer() const { return view_->buffer; }
  uint64_t byte_offset() const { return view_->byte_offset; }
  // As the C header has it: flags, device, reference.
  const SyTensor& view() const { return *view_; }

 private:
  const SyTensor* view_ = nullptr;
};

namespace internal {

template <class T>
inline constexpr bool kIsComplex = false;
template <class T>
inline constexpr bool kIsComplex<std::complex<T>> = true;
template <>
inline constexpr bool kIsComplex<ComplexHalf> = true;

// What T holds of a number: its real part where T is real.
template <class T, class From>
T Converted(From from) {
  if constexpr (kIsComplex<From>) {
    const std::complex<double> z(static_cast<std::complex<typename std::conditional_t<
                                     std::is_same_v<From, ComplexHalf>, std::complex<float>, From>::value_type>>(from));
    if constexpr (kIsComplex<T>) {
      using Part = typename T::value_type;
      return T(static_cast<Part>(z.real()), static_cast<Part>(z.imag()));
    } else {
      return Converted<T>(z.real());
    }
  } else if constexpr (kIsComplex<T>) {
    return T(static_cast<typename T::value_type>(from));
  } else if constexpr (std::is_arithmetic_v<From>) {
    if constexpr (std::is_arithmetic_v<T>) {
      return static_cast<T>(from);
    } else {
      return T(static_cast<float>(from));  // a small float
    }
  } else {
    return Converted<T>(static_cast<float>(from));
  }
}

}  // namespace internal

// The element at an offset, of any dtype, converted as C++ does; of a complex one the real part
// where T is real. at: in elements from the first one.
template <class T>
T Load(Tensor t, int64_t at) {
  T value{};
  VisitAny(t.dtype(), [&](auto tag) {
    using E = typename decltype(tag)::type;
    value = internal::Converted<T>(t.data<E>()[at]);
  });
  return value;
}
// The reverse: a number into an element of any dtype.
template <class T>
void Store(Tensor t, int64_t at, T value) {
  VisitAny(t.dtype(), [&](auto tag) {
    using E = typename decltype(tag)::type;
    if constexpr (std::is_same_v<E, ComplexHalf>) {
      const auto z = internal::Converted<std::complex<float>>(value);
      t.data<E>()[at] = {z.real(), z.imag()};
    } else {
      t.data<E>()[at] = internal::Converted<E>(value);
    }
  });
}

// Calls f(offset of each tensor's element, …) for every element of the first one, to which the
// others are broadcast. Offsets are in elements. In row-major order of the first; at once where all
// are contiguous and alike.
//   ForEach([&](int64_t o, int64_t i) { out.data<float>()[o] = -x.data<float>()[i]; }, out, x);
template <class F, class... T>
void ForEach(F&& f, Tensor first, T... others) {
  constexpr size_t kN = 1 + sizeof...(T);
  const std::array<Tensor, kN> all = {first, others...};
  const int64_t rank = first.dim();
  // As many dimensions as a tensor of the host may have.
  int64_t strides[kN][64] = {};
  // All contiguous and of one size: one count for all.
  bool plain = true;
  for (size_t k = 0; k < kN; ++k) {
    plain &= all[k].is_contiguous() && all[k].numel() == first.numel();
    const int64_t missing = rank - all[k].dim();
    for (int64_t d = missing; d < rank; ++d)
      strides[k][d] = all[k].size(d - missing) == 1 ? 0 : all[k].stride(d - missing);
  }
  std::array<int64_t, kN> at = {};
  if (plain) {
    for (int64_t i = 0; i < first.numel(); ++i) {
      at.fill(i);
      std::apply(f, at);
    }
    return;
  }
  int64_t index[64] = {};
  // An odometer: the last dimension counts fastest; offsets go back where one is carried.
  for (int64_t left = first.numel(); left > 0; --left) {
    std::apply(f, at);
    for (int64_t d = rank - 1; d >= 0; --d) {
      const bool carry = ++index[d] == first.size(d);
      for (size_t k = 0; k < kN; ++k)
        at[k] += carry ? strides[k][d] * (1 - first.size(d)) : strides[k][d];
      if (!carry) break;
      index[d] = 0;
    }
  }
}

// A number of any kind; complex ones point into the call.
class Scalar {
 public:
  // A copy of the value; a complex one goes on pointing at the host's.
  explicit Scalar(const SyValue& v) : v_(v) {}
  // Of bool, integers and complex numbers false.
  bool is_floating() const { return v_.tag == SY_V_DOUBLE; }
  // The real part, converted as C++ does: fractions are cut off for integers.
  template <class T>
  T To() const {
    if (v_.tag == SY_V_DOUBLE) return static_cast<T>(v_.u.d);
    if (v_.tag == SY_V_COMPLEX) return static_cast<T>(static_cast<const double*>(v_.u.list)[0]);
    if (v_.tag == SY_V_UINT) return static_cast<T>(static_cast<uint64_t>(v_.u.i));
    return static_cast<T>(v_.u.i);
  }
  const SyValue& value() const { return v_; }

 private:
  SyValue v_;
};

// Of T: empty where the argument is None.
template <class T>
using Optional = std::optional<T>;

}  // namespace sy::abi

#endif  // SWITCHYARD_C_TENSOR_HPP_
