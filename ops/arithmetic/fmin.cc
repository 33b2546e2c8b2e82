// The smaller of each pair of elements; where one is NaN, the other.
//   self, other: real, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::fmin(a, b)
// Source: ATen fmin.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator fmin_op{"fmin(Tensor self, Tensor other) -> Tensor",
                       BinaryOf<Bit(DType::kBool) | kIntegerTypes | kFloatingTypes>, kOut,
                       kFormula<f::Fmin>};

}  // namespace sy
