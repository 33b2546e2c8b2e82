// Tensors written out in the program: nested braces of numbers.
//
//   Tensor m = sy::tensor({{1., 2.}, {3., 4.}});          // float32[2, 2]
//   Tensor i = sy::tensor({2, 3, 5}, DType::kInt32);
//   Tensor v = sy::tensor(std::vector<double>{1, 2});     // float64[2]
//   Tensor g = sy::tensor({1, 2}, {.device = "cuda"});
//
// The dtype follows from the numbers unless given: bool, int64, the default floating dtype, or its
// complex one; of a vector or another array, it is that of the elements.
//
// What the numbers make it, with float32 as default dtype:
//
//   tensor({1, 2})             int64[2]       tensor(2.5)                 float32[]
//   tensor({1., 2})            float32[2]     tensor({true, 2})           int64[2]
//   tensor({true, false})      bool[2]        tensor(vector<double>{1})   float64[1]
// Owns: a copy of the numbers, on the default device unless another is given.
// Threads: any.
// Errors: kInvalidArgument when lists of one level differ in length or depth, or a number does not
// fit the dtype.
#ifndef SWITCHYARD_CORE_LITERAL_H_
#define SWITCHYARD_CORE_LITERAL_H_

#include <concepts>
#include <initializer_list>
#include <iterator>
#include <type_traits>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy {

// A number or a list of literals.
// Made by braces; programs write tensor({…}) and do not name it. Nothing is checked before it
// becomes a tensor.
class TensorLiteral {
 public:
  template <class T>
  requires std::constructible_from<Scalar, T> TensorLiteral(T number) : number_(number) {}
  TensorLiteral(std::initializer_list<TensorLiteral> list)
      : is_list_(true), list_(list) {}  // NOLINT

  // For literals that are read while running.
  explicit TensorLiteral(std::vector<TensorLiteral> list)
      : is_list_(true), list_(std::move(list)) {}

  bool is_list() const { return is_list_; }
  // Of a number; 0 for a list.
  const Scalar& number() const { return number_; }
  // Of a list; empty for a number.
  const std::vector<TensorLiteral>& list() const { return list_; }

 private:
  bool is_list_ = false;
  Scalar number_;
  std::vector<TensorLiteral> list_;
};

// From nested braces: a number gives a 0-dim tensor, {} an empty one of sizes [0] and the default
// dtype. At most kMaxRank levels. ATen has it as torch::tensor.
SY_API Tensor tensor(const TensorLiteral& literal, Optional<DType> dtype = std::nullopt);
namespace internal {
SY_API Tensor MakeTensor(const TensorLiteral& literal, const Options& options);
// Of one dimension, from n elements in a row.
SY_API Tensor MakeTensor(const void* elements, size_t n, DType dtype, const Options& options);
}  // namespace internal
// A template, so that tensor(x, {}) means the above.
template <class = void>
Tensor tensor(const TensorLiteral& literal, const Options& options) {
  return internal::MakeTensor(literal, options);
}

// Elements that lie in a row: std::vector, std::array, std::span.
// No std::vector<bool>, whose elements lie in no row; it has an overload of its own below.
template <class R>
concept ElementRange = requires(const R& r) {
  { std::size(r) } -> std::convertible_to<size_t>;
  requires ElementType<std::remove_cvref_t<decltype(*std::data(r))>>;
};
// 1-d, of the elements' dtype unless another is given; the elements are copied. With another dtype
// each is converted, and refused where it does not fit (Scalar::CheckedTo).
template <ElementRange R>
Tensor tensor(const R& elements, const Options& options = {}) {
  return internal::MakeTensor(std::data(elements), std::size(elements),
                              DTypeOf<std::remove_cvref_t<decltype(*std::data(elements))>>,
                              options);
}
// The elements as that dtype.
template <ElementRange R>
Tensor tensor(const R& elements, DType dtype) {
  return tensor(elements, Options{.dtype = dtype});
}
template <std::same_as<std::vector<bool>> V>
Tensor tensor(const V& elements, const Options& options = {}) {
  return internal::MakeTensor(
      TensorLiteral(std::vector<TensorLiteral>(elements.begin(), elements.end())), options);
}

}  // namespace sy

#endif  // SWITCHYARD_CORE_LITERAL_H_
