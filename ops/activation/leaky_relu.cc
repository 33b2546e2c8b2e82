// Each element, multiplied by `negative_slope` where it is below 0.
//   self: any sizes, floating   →   like self
// Errors: kInvalidArgument for a number that does not fit self's dtype, kNotImplemented for
// anything but floating tensors.
// Example: sy::leaky_relu(x, 0.1)
// Source: ATen leaky_relu.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LeakyReluShape(PointwiseContext& r, const TensorBase& self, const Scalar& negative_slope) {
  UnaryOf<kFloatingTypes>(r, self);
  RequireFits(r, negative_slope, self.dtype(), "negative_slope");
}

}  // namespace

const Operator leaky_relu_op{"leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
                             LeakyReluShape, kInPlace | kOut, kFormula<f::LeakyRelu>};

}  // namespace sy
