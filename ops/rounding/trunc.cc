// The integer part of each element, in self's dtype: the nearest integer that is not farther from
// 0.
//   self: any sizes, real and not bool   →   like self
// Errors: kNotImplemented for bool and complex.
// Example: sy::trunc(x)
// Source: ATen trunc, fix.
#include "switchyard/ops/formulas/rounding.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator trunc_op{"trunc(Tensor self) -> Tensor", RoundingShape, kInPlace | kOut,
                        kFormula<f::Trunc>};
const Operator fix_op{"fix(Tensor self) -> Tensor", SameKernels("trunc", RoundingShape),
                      kInPlace | kOut};

}  // namespace sy
