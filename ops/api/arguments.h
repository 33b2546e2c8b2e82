// Parameter types of the typed API (switchyard/ops.h), which take what is handy to write.
//
//   sy::zeros({2, 3});  sy::zeros(3);  sy::sum(x, 0);  sy::sum(x, {0, 1});  sy::cat({a, b});
//   sy::zeros({2, 3}, "cuda:0");  sy::zeros({2, 3}, {.dtype = DType::kInt16, .device = gpu});
//
// Where a function has the parameters dtype, layout, device and pin_memory, there are two more
// functions, with Options or with a device in their place.
//
// A number where another overload has a bool is never taken for one: sy::std(x, 1) is along
// dimension 1, sy::std(x, true) unbiased.
// Owns: nothing, beyond a single number or the tensors of a braced list; they are for the duration
// of a call.
// Threads: any.
// Errors: none here: lists of a wrong length are the operators' to refuse.
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

// Any integer but bool, which is no size and no dimension.
template <class T>
concept Integer = std::integral<T> && !std::same_as<T, bool>;

// What parameters of bool? are, and of bool, where another overload has a number in the same place.
template <class T>
concept ExactBool = std::same_as<T, bool>;
template <class T>
concept ExactOptionalBool = ExactBool<T> || std::same_as<T, std::nullopt_t> ||
    std::same_as<T, std::optional<bool>> || std::same_as<T, Optional<bool>>;

// Sizes or dimensions: {2, 3}, a vector, an array, a span; or one number, which stands for kSize of
// them: conv2d's stride = 2 for {2, 2}. kSize 0: no number, where another overload takes one. It
// borrows the list; braces live as long as the call.
template <int kSize>
class IntList {
 public:
  IntList(std::initializer_list<int64_t> l) : span_(l.begin(), l.size()) {}
  IntList(IntSpan s) : span_(s) {}
  IntList(const std::vector<int64_t>& v) : span_(v) {}
  template <size_t N>
  IntList(const std::array<int64_t, N>& a) : span_(a) {}
  template <Integer T>
  requires(kSize > 0) IntList(T i) : number_(Repeated(static_cast<int64_t>(i))), span_(number_) {}
  IntList(const IntList&) = delete;
  operator IntSpan() const { return span_; }

 private:
  static std::array<int64_t, kSize> Repeated(int64_t i) {
    std::array<int64_t, kSize> all;
    all.fill(i);
    return all;
  }

  std::array<int64_t, kSize> number_;
  IntSpan span_;
};
// Of any length: one number stands for a list of one.
using Ints = IntList<1>;

// As Ints, or nothing, or one number for a list of one. Nothing and an empty list may be two things
// to an operator.
class OptionalInts {
 public:
  OptionalInts(std::nullopt_t) {}
  OptionalInts(std::initializer_list<int64_t> l) : span_(IntSpan(l.begin(), l.size())) {}  // NOLINT
  OptionalInts(IntSpan s) : span_(s) {}
  OptionalInts(std::optional<IntSpan> s) : span_(s) {}
  OptionalInts(const std::vector<int64_t>& v) : span_(IntSpan(v)) {}
  template <Integer T>
  OptionalInts(T i) : one_(i), span_(IntSpan(&one_, 1)) {}
  OptionalInts(const OptionalInts&) = delete;
  operator std::optional<IntSpan>() const { return span_; }

 private:
  int64_t one_ = 0;
  std::optional<IntSpan> span_;
};

// A dtype or none, where another overload has dimensions in the same place: nullopt is none of
// those.
class DTypeOrDefault {
 public:
  DTypeOrDefault(DType d) : dtype_(d) {}
  DTypeOrDefault(Optional<DType> d) : dtype_(d) {}
  DTypeOrDefault(std::optional<DType> d) : dtype_(d) {}
  operator Optional<DType>() const { return dtype_; }

 private:
  Optional<DType> dtype_;
};

// A text, where another overload has numbers in the same place: {0, 0} are numbers, of which
// std::string_view would make a pointer.
class Word {
 public:
  template <std::convertible_to<std::string_view> T>
  Word(const T& text) : text_(text) {}
  operator std::string_view() const { return text_; }

 private:
  std::string_view text_;
};

// A device or its name, and nothing else that is written in braces.
template <class T>
concept AnyDevice = std::convertible_to<T, Device>;

// Several tensors: {a, b}, a vector, a span; borrowed for the call.
class Tensors {
 public:
  Tensors(std::initializer_list<Tensor> l) : list_(l.begin(), l.size()) {}
  Tensors(TensorList l) : list_(l) {}
  Tensors(const std::vector<Tensor>& v) : list_(v) {}
  operator TensorList() const { return list_; }

 private:
  TensorList list_;
};

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_ARGUMENTS_H_
