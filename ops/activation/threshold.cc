// Each element where it is above `threshold`, `value` elsewhere; NaN stays NaN.
//   self: any sizes, real and not bool   →   like self
// Errors: kInvalidArgument for a number that does not fit self's dtype, kNotImplemented for bool
// and complex.
// Example: sy::threshold(x, 0.1, 20.0)
// Source: ATen threshold.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ThresholdShape(PointwiseContext& r, const TensorBase& self, const Scalar& threshold,
                    const Scalar& value) {
  RequireDType(r, self, kIntegerTypes | kFloatingTypes);
  r.Pointwise(self);
  RequireFits(r, threshold, self.dtype(), "threshold");
  RequireFits(r, value, self.dtype(), "value");
}

}  // namespace

const Operator threshold_op{"threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
                            ThresholdShape, kInPlace | kOut, kFormula<f::Threshold>};

}  // namespace sy
