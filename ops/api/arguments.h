// Parameter types of the typed API (switchyard/ops.h), which take what is handy to write.
//
//   sy::zeros({2, 3});  sy::sum(x, 0);  sy::sum(x, {0, 1});  sy::cat({a, b});
//
// A number where another overload has a bool is never taken for one: sy::std(x, 1) is along
// dimension 1, sy::std(x, true) unbiased.
// Owns: nothing, beyond a single number or the tensors of a braced list; they are for the duration
// of a call.
// Threads: any.
#ifndef SWITCHYARD_OPS_API_ARGUMENTS_H_
#define SWITCHYARD_OPS_API_ARGUMENTS_H_

#include <array>
#include <concepts>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/tensor.h"

namespace sy {

template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

// What parameters of bool? are, and of bool, where another overload has a number in the same place.
template <class T>
concept ExactBool = std::same_as<T, bool>;
template <class T>
concept ExactOptionalBool = ExactBool<T> || std::same_as<T, std::nullopt_t> ||
    std::same_as<T, std::optional<bool>> || std::same_as<T, Optional<bool>>;

// Sizes or dimensions: {2, 3}, a vector, an array, a span.
class Ints {
 public:
  Ints(std::initializer_list<int64_t> l)
      : span_(l.begin(), l.size()) {}                // NOLINT(google-explicit-constructor)
  Ints(IntSpan s) : span_(s) {}                      // NOLINT(google-explicit-constructor)
  Ints(const std::vector<int64_t>& v) : span_(v) {}  // NOLINT(google-explicit-constructor)
  template <size_t N>
  Ints(const std::array<int64_t, N>& a) : span_(a) {}  // NOLINT(google-explicit-constructor)
  operator IntSpan() const { return span_; }           // NOLINT(google-explicit-constructor)

 private:
  IntSpan span_;
};

// As Ints, or one number for a list of one.
class IntOrInts {
 public:
  IntOrInts(std::initializer_list<int64_t> l)
      : span_(l.begin(), l.size()) {}                     // NOLINT(google-explicit-constructor)
  IntOrInts(IntSpan s) : span_(s) {}                      // NOLINT(google-explicit-constructor)
  IntOrInts(const std::vector<int64_t>& v) : span_(v) {}  // NOLINT(google-explicit-constructor)
  template <Integer T>
  IntOrInts(T i) : one_(i), span_(&one_, 1) {}  // NOLINT(google-explicit-constructor)
  IntOrInts(const IntOrInts&) = delete;
  operator IntSpan() const { return span_; }  // NOLINT(google-explicit-constructor)

 private:
  int64_t one_ = 0;
  IntSpan span_;
};

// As Ints, or nothing, or one number for a list of one.
class OptionalInts {
 public:
  OptionalInts(std::nullopt_t) {}  // NOLINT(google-explicit-constructor)
  OptionalInts(std::initializer_list<int64_t> l) : span_(IntSpan(l.begin(), l.size())) {}  // NOLINT
  OptionalInts(IntSpan s) : span_(s) {}                 // NOLINT(google-explicit-constructor)
  OptionalInts(std::optional<IntSpan> s) : span_(s) {}  // NOLINT(google-explicit-constructor)
  OptionalInts(const std::vector<int64_t>& v)
      : span_(IntSpan(v)) {}  // NOLINT(google-explicit-constructor)
  template <Integer T>
  OptionalInts(T i) : one_(i), span_(IntSpan(&one_, 1)) {}  // NOLINT(google-explicit-constructor)
  OptionalInts(const OptionalInts&) = delete;
  operator std::optional<IntSpan>() const { return span_; }  // NOLINT(google-explicit-constructor)

 private:
  int64_t one_ = 0;
  std::optional<IntSpan> span_;
};

// A dtype or none, where another overload has dimensions in the same place: nullopt is none of
// those.
class DTypeOrDefault {
 public:
  DTypeOrDefault(DType d) : dtype_(d) {}                 // NOLINT(google-explicit-constructor)
  DTypeOrDefault(Optional<DType> d) : dtype_(d) {}       // NOLINT(google-explicit-constructor)
  DTypeOrDefault(std::optional<DType> d) : dtype_(d) {}  // NOLINT(google-explicit-constructor)
  operator Optional<DType>() const { return dtype_; }    // NOLINT(google-explicit-constructor)

 private:
  Optional<DType> dtype_;
};

// A text, where another overload has numbers in the same place: {0, 0} are numbers, of which
// std::string_view would make a pointer.
class Word {
 public:
  template <std::convertible_to<std::string_view> T>
  Word(const T& text) : text_(text) {}                 // NOLINT(google-explicit-constructor)
  operator std::string_view() const { return text_; }  // NOLINT(google-explicit-constructor)

 private:
  std::string_view text_;
};

// Several tensors: {a, b}, a vector, a span.
class Tensors {
 public:
  Tensors(std::initializer_list<Tensor> l)
      : list_(l.begin(), l.size()) {}                  // NOLINT(google-explicit-constructor)
  Tensors(TensorList l) : list_(l) {}                  // NOLINT(google-explicit-constructor)
  Tensors(const std::vector<Tensor>& v) : list_(v) {}  // NOLINT(google-explicit-constructor)
  operator TensorList() const { return list_; }        // NOLINT(google-explicit-constructor)

 private:
  TensorList list_;
};

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_ARGUMENTS_H_
