// Least common multiple of each element of self and `other`, not negative; 0 where one of them is.
//   self, other: integers, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but integers.
// Example: sy::lcm(a, b)
// Source: ATen lcm.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator lcm_op{"lcm(Tensor self, Tensor other) -> Tensor", BinaryOf<kIntegerTypes>,
                      kInPlace | kOut, kFormula<f::Lcm>};

}  // namespace sy
