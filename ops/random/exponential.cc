// Numbers from the exponential distribution of rate `lambd`; exponential_ fills self with them.
//   self: floating; lambd > 0   →   like self
// Errors: kInvalidArgument for lambd not above 0, or when self is not floating.
// Example: sy::exponential_(x, 2)
// Source: ATen exponential_; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ExponentialShape(ShapeContext& r, const TensorBase& self, double lambd, Generator*) {
  if (!(lambd > 0)) r.Fail({"lambd must be above 0, got ", lambd});
  RequireDType(r, self, kFloatingTypes);
  r.OutputLike(self).pointwise = true;
}

}  // namespace

const Operator exponential_op{
    "exponential(Tensor self, float lambd=1., *, Generator? generator=None) -> Tensor",
    ExponentialShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
