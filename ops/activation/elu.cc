// Each element x times `scale`; alpha scale (exp(input_scale x) - 1) where it is below 0.
//   self: any sizes, floating   →   like self
// Errors: kInvalidArgument for a number that does not fit self's dtype, kNotImplemented for
// anything but floating tensors.
// Example: sy::elu(x)
// Source: ATen elu.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void EluShape(PointwiseContext& r, const TensorBase& self, const Scalar& alpha, const Scalar& scale,
              const Scalar& input_scale) {
  UnaryOf<kFloatingTypes>(r, self);
  RequireFits(r, alpha, self.dtype(), "alpha");
  RequireFits(r, scale, self.dtype(), "scale");
  RequireFits(r, input_scale, self.dtype(), "input_scale");
}

}  // namespace

const Operator elu_op{
    "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", EluShape,
    kInPlace | kOut, kFormula<f::Elu>};

}  // namespace sy
