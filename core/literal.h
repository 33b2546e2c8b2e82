// Tensors written out in the program: nested braces of numbers.
//
//   Tensor m = sy::tensor({{1., 2.}, {3., 4.}});          // float32[2, 2]
//   Tensor i = sy::tensor({2, 3, 5}, DType::kInt32);
//
// The dtype follows from the numbers unless given: bool, int64, the default floating dtype, or its
// complex one.
// Owns: a copy of the numbers, on the host.
// Threads: any.
// Errors: kInvalidArgument when lists of one level differ in length or depth, or a number does not
// fit the dtype.
#ifndef SWITCHYARD_CORE_LITERAL_H_
#define SWITCHYARD_CORE_LITERAL_H_

#include <concepts>
#include <initializer_list>
#include <vector>

#include "switchyard/core/optional.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy {

// A number or a list of literals.
class TensorLiteral {
 public:
  template <class T>
  requires std::constructible_from<Scalar, T> TensorLiteral(T number)
      : number_(number) {}  // NOLINT(google-explicit-constructor)
  TensorLiteral(std::initializer_list<TensorLiteral> list)
      : is_list_(true), list_(list) {}  // NOLINT

  // For literals that are read while running.
  explicit TensorLiteral(std::vector<TensorLiteral> list)
      : is_list_(true), list_(std::move(list)) {}

  bool is_list() const { return is_list_; }
  const Scalar& number() const { return number_; }
  const std::vector<TensorLiteral>& list() const { return list_; }

 private:
  bool is_list_ = false;
  Scalar number_;
  std::vector<TensorLiteral> list_;
};

SY_API Tensor tensor(const TensorLiteral& literal, Optional<DType> dtype = std::nullopt);

}  // namespace sy

#endif  // SWITCHYARD_CORE_LITERAL_H_
