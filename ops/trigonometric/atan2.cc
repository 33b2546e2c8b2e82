// Angle of the point (other, self) in the plane, in radians, from -pi to pi.
//   self, other: real, sizes that broadcast, dtypes that promote; integers and bool compute in the
//   default dtype   →   common sizes and dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::atan2(y, x)
// Source: ATen atan2, arctan2.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator atan2_op{"atan2(Tensor self, Tensor other) -> Tensor", BinaryFloatOf<kRealNumbers>,
                        kInPlace | kOut, kFormula<f::Atan2>};
const Operator arctan2_op{"arctan2(Tensor self, Tensor other) -> Tensor",
                          SameKernels("atan2", BinaryFloatOf<kRealNumbers>), kInPlace | kOut};

}  // namespace sy
