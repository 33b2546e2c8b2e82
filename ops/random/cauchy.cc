// Numbers from the Cauchy distribution around `median`, of width `sigma`; cauchy_ fills self with
// them.
//   self: floating; sigma > 0   →   like self
// Errors: kInvalidArgument for sigma not above 0, or when self is not floating.
// Example: sy::cauchy_(x, 0, 1)
// Source: ATen cauchy_; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void CauchyShape(ShapeContext& r, const TensorBase& self, double /*median*/, double sigma,
                 Generator*) {
  if (!(sigma > 0)) r.Fail({"sigma must be above 0, got ", sigma});
  RequireDType(r, self, kFloatingTypes);
  r.OutputLike(self).pointwise = true;
}

}  // namespace

const Operator cauchy_op{
    "cauchy(Tensor self, float median=0., float sigma=1., *, Generator? generator=None) -> Tensor",
    CauchyShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
