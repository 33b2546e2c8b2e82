// Numbers whose logarithm is from the normal distribution of `mean` and `std`; log_normal_ fills
// self with them.
//   self: floating; std > 0   →   like self
// Errors: kInvalidArgument for std not above 0, or when self is not floating.
// Example: sy::log_normal_(x, 1, 2)
// Source: ATen log_normal_; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LogNormalShape(ShapeContext& r, const TensorBase& self, double /*mean*/, double std,
                    Generator*) {
  if (!(std > 0)) r.Fail({"std must be above 0, got ", std});
  RequireDType(r, self, kFloatingTypes);
  r.OutputLike(self).pointwise = true;
}

}  // namespace

const Operator log_normal_op{
    "log_normal(Tensor self, float mean=1., float std=2., *, Generator? generator=None) -> Tensor",
    LogNormalShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
