// Type promotion: the dtype in which operands of different dtypes meet.
//
// Operands come in three strengths: tensors with dimensions, 0-dim tensors, and numbers. A weaker
// operand only decides when its category (bool < integer < float < complex) is higher than that of
// all stronger ones.
// Source: torch docs "Type promotion", ATen/native/TypeProperties.cpp.
// Threads: any.
// Errors: kInvalidArgument for pairs without a common type (float8 with anything else, uint64 with
// int64…).
#ifndef SWITCHYARD_CORE_PROMOTION_H_
#define SWITCHYARD_CORE_PROMOTION_H_

#include <optional>

#include "switchyard/core/dtype.h"
#include "switchyard/core/scalar.h"
#include "switchyard/core/tensor.h"

namespace sy {

// The smallest dtype both convert to without losing their category; nullopt when there is none.
SY_API std::optional<DType> TryPromoteTypes(DType a, DType b);
SY_API DType PromoteTypes(DType a, DType b);
// Whether a result of dtype `from` may be stored as `to`: the category must not fall (float to int,
// int to bool, …).
SY_API bool CanCast(DType from, DType to);

// Collects operands; the result is the dtype they meet in.
class SY_API TypePromotion {
 public:
  void Add(const Meta& t);  // undefined tensors do not count
  void Add(const Scalar& s);
  bool empty() const { return !dim_ && !zero_ && !number_; }
  DType Result() const;  // Errors also: kInvalidArgument without operands.

 private:
  std::optional<DType> dim_, zero_, number_;
};

// Of two tensors.
SY_API DType ResultType(const Meta& a, const Meta& b);

}  // namespace sy

#endif  // SWITCHYARD_CORE_PROMOTION_H_
