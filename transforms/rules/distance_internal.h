// What distances between rows pass to their differences.
#ifndef TRANSFORMS_RULES_DISTANCE_INTERNAL_H_
#define TRANSFORMS_RULES_DISTANCE_INTERNAL_H_

#include <cmath>

#include "switchyard/ops.h"

namespace sy::transforms {

// The derivative of the p-norm by each element of d: [.., n], norm: [.., 1]. As in kernels nothing
// passes where rows are the same, nor by elements that are where p < 1.
inline Tensor NormSlope(const Tensor& d, const Tensor& norm, double p) {
  if (p == 0) return zeros_like(d);
  const Tensor direction = sgn(d);
  if (p == 1) return direction;
  if (std::isinf(p)) return mul(direction, eq(abs(d), norm));
  const Tensor none = p < 1 ? logical_or(eq(norm, 0), eq(d, 0)) : eq(norm, 0);
  const Tensor size = masked_fill(abs(d), none, 1), whole = masked_fill(norm, eq(norm, 0), 1);
  return masked_fill(mul(direction, pow(div(size, whole), p - 1)), none, 0);
}

}  // namespace sy::transforms

#endif  // TRANSFORMS_RULES_DISTANCE_INTERNAL_H_
