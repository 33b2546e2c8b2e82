// Whether at least one of each two elements is not zero.
//   self, other: sizes that broadcast   →   bool, common sizes; in place and out=: 0 and 1 in their
//   dtype
// Errors: kInvalidArgument when sizes do not broadcast.
// Example: sy::logical_or(a, b)
// Source: ATen logical_or.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator logical_or_op{
    "logical_or(Tensor self, Tensor other) -> Tensor",
    CompareOf<Bit(DType::kBool) | kIntegerTypes | kFloatingTypes | kComplexTypes>, kInPlace | kOut,
    kFormula<f::LogicalOr>};

}  // namespace sy
