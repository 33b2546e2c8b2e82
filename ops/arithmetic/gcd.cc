// Greatest common divisor of each element of self and `other`, or of two numbers, not negative.
//   self, other: integers, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for anything but integers.
// Example: sy::gcd(a, b)
// Source: ATen gcd.
#include "switchyard/ops/formulas/bitwise.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator gcd_op{"gcd(Tensor self, Tensor other) -> Tensor", BinaryOf<kIntegerTypes>,
                      kInPlace | kOut, kFormula<f::Gcd>};
const Operator gcd_int_op{"gcd.int(int a, int b) -> int"};

}  // namespace sy
