// Numbers among an operator's arguments: what they must be for the elements they are computed with.
//
//   RequireFits(r, alpha, self.dtype(), "alpha");      a factor of elements
//   RequireStorable(r, value, self.dtype(), "value");  one of them, or compared with them
//   RequireConvertible(r, other, dtype, "other");      one that is converted to them, as by a copy
//
// They differ in the smaller floats: factors meet elements in float32, and a conversion rounds, so
// that 70000 becomes infinity as float16. A number that a variant has lifted to a 0-dim tensor
// (WithNumber) is asked about as that tensor; other tensors are let through.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming operator, argument, number and dtype.
// Source: ATen's Scalar::to<opmath_t>() and Scalar::to<scalar_t>(), which refuse an imaginary part
// and what is out of range.
#ifndef SWITCHYARD_OPS_NUMBER_H_
#define SWITCHYARD_OPS_NUMBER_H_

#include <string_view>

#include "switchyard/core/transfer.h"
#include "switchyard/op/shape_context.h"

namespace sy {

// What kernels take numbers as beside elements of dtype d.
constexpr DType NumberType(DType d) { return Contains(kHalfTypes, d) ? DType::kFloat32 : d; }

[[noreturn]] SY_API SY_COLD void FailNumber(const ShapeContext& r, const Scalar& number, DType d,
                                            std::string_view name);

inline void RequireStorable(const ShapeContext& r, const Scalar& number, DType d,
                            std::string_view name) {
  if (!number.Fits(d)) [[unlikely]]
    FailNumber(r, number, d, name);
}
inline void RequireStorable(const ShapeContext& r, const TensorBase& number, DType d,
                            std::string_view name) {
  if (number.is_wrapped_number())
    RequireStorable(r, ReadNumber(static_cast<const Tensor&>(number)), d, name);
}
SY_API void RequireConvertible(const ShapeContext& r, const Scalar& number, DType d,
                               std::string_view name);
inline void RequireConvertible(const ShapeContext& r, const TensorBase& number, DType d,
                               std::string_view name) {
  if (number.is_wrapped_number())
    RequireConvertible(r, ReadNumber(static_cast<const Tensor&>(number)), d, name);
}
// One that multiplies a tensor of dtype d, which stays what it is: of no higher category, unless it
// is 0, and the tensor is not read.
inline void RequireFactor(const ShapeContext& r, const Scalar& number, DType d,
                          std::string_view name) {
  const bool fits = number.is_zero()                 ? true
                    : number.is_complex()            ? IsComplex(d)
                    : number.is_floating()           ? !IsIntegral(d, true)
                    : number.kind() == Scalar::kBool ? true
                                                     : d != DType::kBool;
  if (!fits) [[unlikely]]
    FailNumber(r, number, d, name);
}
inline void RequireFits(const ShapeContext& r, const Scalar& number, DType d,
                        std::string_view name) {
  if (!number.Fits(NumberType(d))) [[unlikely]]
    FailNumber(r, number, d, name);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NUMBER_H_
