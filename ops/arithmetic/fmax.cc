// The larger of each pair of elements; where one is NaN, the other.
//   self, other: real, sizes that broadcast, dtypes that promote   →   common sizes and dtype
// Errors: kNotImplemented for complex numbers.
// Example: sy::fmax(a, b)
// Source: ATen fmax.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator fmax_op{"fmax(Tensor self, Tensor other) -> Tensor",
                       BinaryOf<Bit(DType::kBool) | kIntegerTypes | kFloatingTypes>, kOut,
                       kFormula<f::Fmax>};

}  // namespace sy
