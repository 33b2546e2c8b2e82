// Each element x; alpha (exp(x / alpha) - 1) where it is below 0.
//   self: any sizes, floating; alpha: not 0   →   like self
// Errors: kInvalidValue for an alpha of 0, kInvalidArgument for one that does not fit self's dtype,
// kNotImplemented for anything but floating tensors.
// Example: sy::celu(x, 1.3)
// Source: ATen celu.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void CeluShape(PointwiseContext& r, const TensorBase& self, const Scalar& alpha) {
  if (alpha.To<double>() == 0) r.Fail(ErrorCode::kInvalidValue, {"alpha must not be 0"});
  UnaryOf<kFloatingTypes>(r, self);
  RequireFits(r, alpha, self.dtype(), "alpha");
}

}  // namespace

const Operator celu_op{
    "celu(Tensor self, Scalar alpha=1.) -> Tensor", CeluShape,
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
