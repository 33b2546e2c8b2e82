// Whether both elements are not zero.
//   self, other: sizes that broadcast   →   bool, common sizes; in place and out=: 0 and 1 in their
//   dtype
// Errors: kInvalidArgument when sizes do not broadcast.
// Example: sy::logical_and(a, b)
// Source: ATen logical_and.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator logical_and_op{
    "logical_and(Tensor self, Tensor other) -> Tensor",
    CompareOf<Bit(DType::kBool) | kIntegerTypes | kFloatingTypes | kComplexTypes>, kInPlace | kOut,
    kFormula<f::LogicalAnd>};

}  // namespace sy
