// log(1 + exp(beta x)) / beta of each element x; x where beta x is above `threshold`.
//   self: any sizes, floating   →   like self
// Errors: kInvalidArgument for a number that does not fit self's dtype, kNotImplemented for
// anything but floating tensors.
// Example: sy::softplus(x)
// Source: ATen softplus.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SoftplusShape(PointwiseContext& r, const TensorBase& self, const Scalar& beta,
                   const Scalar& threshold) {
  UnaryOf<kFloatingTypes>(r, self);
  RequireFits(r, beta, self.dtype(), "beta");
  RequireFits(r, threshold, self.dtype(), "threshold");
}

}  // namespace

const Operator softplus_op{"softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
                           SoftplusShape, kOut, kFormula<f::Softplus>};

}  // namespace sy
