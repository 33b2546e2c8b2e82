// Whether each element is zero.
//   self: any sizes   →   bool, sizes of self; in place and out=: 0 and 1 in their dtype
// Example: sy::logical_not(x)
// Source: ATen logical_not.
#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LogicalNotShape(PointwiseContext& r, const TensorBase& self) {
  r.Pointwise(self, Promote::kCompare);
}

}  // namespace

const Operator logical_not_op{"logical_not(Tensor self) -> Tensor", LogicalNotShape,
                              kInPlace | kOut, kFormula<f::LogicalNot>};

}  // namespace sy
