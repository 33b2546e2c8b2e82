// Arguments of a call as C++ types, and the letters by which the types are compared with a schema.
//
//   From<double>::Value(call->in[1])      SignatureOf<1, Tensor, Tensor, double>::kText   "Td>T"
//
// Part of switchyard/c/plugin.hpp, which includes it; its table of types is there.
// Owns: lists of tensors own their handles. Threads: any. Errors: none.
#ifndef SWITCHYARD_C_ARGUMENTS_HPP_
#define SWITCHYARD_C_ARGUMENTS_HPP_

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "switchyard/c/tensor.hpp"

namespace sy::abi {

namespace internal {

template <class T>
using Plain = std::remove_cv_t<std::remove_reference_t<T>>;

// Reads an argument as T. Every type that a kernel's or shape function's parameter may have is
// here.
template <class T>
struct From;
// None is the undefined tensor.
template <>
struct From<Tensor> {
  static Tensor Value(const SyValue& v) {
    return Tensor(v.tag == SY_V_TENSOR ? v.u.tensor : nullptr);
  }
};
// The pointers of the list become Tensors one by one; null ones are undefined.
template <>
struct From<std::vector<Tensor>> {
  static std::vector<Tensor> Value(const SyValue& v) {
    const auto* list = static_cast<const SyTensor* const*>(v.u.list);
    return std::vector<Tensor>(list, list + v.length);
  }
};
template <>
struct From<int64_t> {
  static int64_t Value(const SyValue& v) { return v.u.i; }
};
template <>
struct From<bool> {
  static bool Value(const SyValue& v) { return v.u.i != 0; }
};
// An integer where a float is expected is converted, as Python's is.
template <>
struct From<double> {
  static double Value(const SyValue& v) { return Scalar(v).To<double>(); }
};
template <>
struct From<Scalar> {
  static Scalar Value(const SyValue& v) { return Scalar(v); }
};
// No closing zero.
template <>
struct From<std::string_view> {
  static std::string_view Value(const SyValue& v) { return {v.u.text, v.length}; }
};
template <>
struct From<DType> {
  static DType Value(const SyValue& v) { return {static_cast<uint32_t>(v.u.i)}; }
};
template <>
struct From<SyDevice> {
  static SyDevice Value(const SyValue& v) { return v.u.device; }
};
template <>
struct From<SyValue> {
  static const SyValue& Value(const SyValue& v) { return v; }
};
// The elements lie as the host has them, for the call.
template <class T>
struct From<Span<const T>> {
  static Span<const T> Value(const SyValue& v) {
    return {static_cast<const T*>(v.u.list), v.length};
  }
};
// None is empty; anything else is read as T.
template <class T>
struct From<std::optional<T>> {
  static std::optional<T> Value(const SyValue& v) {
    if (v.tag == SY_V_NONE) return std::nullopt;
    return From<T>::Value(v);
  }
};

// The letter of a parameter type (SyKernelDef::signature); that of an optional is another.
template <class T>
inline constexpr char kLetter = '?';
template <>
inline constexpr char kLetter<Tensor> = 'T';
template <>
inline constexpr char kLetter<std::vector<Tensor>> = 'L';
template <>
inline constexpr char kLetter<int64_t> = 'i';
template <>
inline constexpr char kLetter<Span<const int64_t>> = 'l';
template <>
inline constexpr char kLetter<double> = 'd';
template <>
inline constexpr char kLetter<Span<const double>> = 'f';
template <>
inline constexpr char kLetter<bool> = 'b';
template <>
inline constexpr char kLetter<Span<const bool>> = 'c';
template <>
inline constexpr char kLetter<Scalar> = 's';
template <>
inline constexpr char kLetter<std::string_view> = 'r';
template <>
inline constexpr char kLetter<DType> = 'y';
template <>
inline constexpr char kLetter<SyDevice> = 'v';
// As the C header pairs them.
constexpr char OptionalLetter(char plain) {
  constexpr char kPairs[] = "iIlMdDfFbBcCsSrRyYvV";
  for (size_t i = 0; i + 1 < sizeof(kPairs); i += 2) {
    if (kPairs[i] == plain) return kPairs[i + 1];
  }
  return '?';
}
template <class T>
inline constexpr char kLetter<std::optional<T>> = OptionalLetter(kLetter<T>);

// Of a kernel's parameters behind the Call: those that are outputs come last, behind the '>'.
template <int kOuts, class... A>
struct SignatureOf {
  static constexpr auto Make() {
    std::array<char, sizeof...(A) + 2> text = {};
    constexpr char kAll[] = {kLetter<Plain<A>>..., '\0'};
    size_t at = 0;
    for (size_t i = kOuts; i < sizeof...(A); ++i) text[at++] = kAll[i];
    text[at++] = '>';
    for (size_t i = 0; i < kOuts; ++i) text[at++] = kAll[i];
    return text;
  }
  static constexpr auto kText = Make();
};

}  // namespace internal

}  // namespace sy::abi

#endif  // SWITCHYARD_C_ARGUMENTS_HPP_
