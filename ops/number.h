// Numbers among an operator's arguments: what they must be for the elements they are computed with.
//
//   RequireFits(r, alpha, self.dtype(), "alpha");
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming operator, argument, number and dtype.
// Source: ATen's Scalar::to<opmath_t>(), which refuses an imaginary part and what is out of range.
#ifndef SWITCHYARD_OPS_NUMBER_H_
#define SWITCHYARD_OPS_NUMBER_H_

#include <string_view>

#include "switchyard/registry/rule.h"

namespace sy {

// What kernels take numbers as beside elements of dtype d.
constexpr DType NumberType(DType d) { return Contains(kHalfTypes, d) ? DType::kFloat32 : d; }

inline void RequireFits(const Rule& r, const Scalar& number, DType d, std::string_view name) {
  if (!number.Fits(NumberType(d))) [[unlikely]]
    r.Fail({name, " is ", number.str(), ", which does not fit ", d});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NUMBER_H_
