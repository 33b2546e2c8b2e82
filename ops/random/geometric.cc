// Numbers from the geometric distribution: trials up to the first success of probability `p`;
// geometric_ fills self with them.
//   self: real, not bool; 0 < p < 1   →   like self
// Errors: kInvalidArgument for p not between 0 and 1, or a dtype that does not fit.
// Example: sy::geometric_(x, 0.5)
// Source: ATen geometric_; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void GeometricShape(ShapeContext& r, const TensorBase& self, double p, Generator*) {
  if (!(p > 0 && p < 1)) r.Fail({"p must be between 0 and 1, got ", p});
  RequireDType(r, self, kIntegerTypes | kFloatingTypes);
  r.OutputLike(self).pointwise = true;
}

}  // namespace

const Operator geometric_op{
    "geometric(Tensor self, float p, *, Generator? generator=None) -> Tensor", GeometricShape,
    kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
