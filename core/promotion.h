// Type promotion: the dtype in which operands of different dtypes meet.
//
//   PromoteTypes(DType::kInt8, DType::kUInt8) == DType::kInt16;
//   ResultType(x, NumberTensor(0.5))      // float32 for an int64 x, float16 for a float16 x
//
// Operands come in three strengths: tensors with dimensions, 0-dim tensors, and numbers. A weaker
// operand only decides when its category (bool < integer < float < complex) is higher than that of
// all stronger ones.
// Source: torch docs "Type promotion", ATen/native/TypeProperties.cpp.
//
// What two dtypes meet in (complex128 where float64 and complex64 do):
//
//             bool   uint8  int8   int32  int64  f16    bf16   f32    f64
//   bool      bool   uint8  int8   int32  int64  f16    bf16   f32    f64
//   uint8     uint8  uint8  int16  int32  int64  f16    bf16   f32    f64
//   int8      int8   int16  int8   int32  int64  f16    bf16   f32    f64
//   int32     int32  int32  int32  int32  int64  f16    bf16   f32    f64
//   int64     int64  int64  int64  int64  int64  f16    bf16   f32    f64
//   f16       f16    f16    f16    f16    f16    f16    f32    f32    f64
//   bf16      bf16   bf16   bf16   bf16   bf16   f32    bf16   f32    f64
//
// And tensors with weaker operands, where the default dtype is float32:
//
//                      number 2  number 2.5  0-dim float64  0-dim complex64
//   bool[2]             int64     float32       float64        complex64
//   int32[2]            int32     float32       float64        complex64
//   float16[2]          float16   float16       float16        complex32
// Owns: nothing; operands are looked at and let go.
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
// float16 and bfloat16 meet in float32, uint8 and int8 in int16. torch.promote_types.
SY_API std::optional<DType> TryPromoteTypes(DType a, DType b);
SY_API DType PromoteTypes(DType a, DType b);
// Whether a result of dtype `from` may be stored as `to`: the category must not fall (float to int,
// int to bool, …); precision may. torch.can_cast.
SY_API bool CanCast(DType from, DType to);

// Collects operands; the result is the dtype they meet in.
//   TypePromotion p;  p.Add(x);  p.Add(Scalar(2.5));  p.Result();   // int64 x: float32
class SY_API TypePromotion {
 public:
  void Add(const TensorBase& t);  // undefined tensors do not count
  void Add(const Scalar& s);      // a number, the weakest operand
  bool empty() const { return !dim_ && !zero_ && !number_; }
  DType Result() const;  // Errors also: kInvalidArgument without operands.

 private:
  std::optional<DType> dim_, zero_, number_;
};

// Of two tensors.
SY_API DType ResultType(const TensorBase& a, const TensorBase& b);

}  // namespace sy

#endif  // SWITCHYARD_CORE_PROMOTION_H_
