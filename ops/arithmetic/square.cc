// Square of each element.
//   self: any sizes   →   like self; int64 where self is bool
// Example: sy::square(x)
// Source: ATen square.
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// As the power 2, an int64, of self.
void SquareShape(PointwiseContext& r, const TensorBase& self) {
  r.PointwiseAs(self.dtype() == DType::kBool ? DType::kInt64 : self.dtype(), {&self});
}

}  // namespace

const Operator square_op{"square(Tensor self) -> Tensor", SquareShape, kInPlace | kOut,
                         kFormula<f::Square>};

}  // namespace sy
