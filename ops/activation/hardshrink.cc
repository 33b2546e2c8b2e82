// Each element, 0 where it is within [-lambd, lambd].
//   self: any sizes, floating   →   like self
// Errors: kInvalidArgument for a number that does not fit self's dtype, kNotImplemented for
// anything but floating tensors.
// Example: sy::hardshrink(x, 0.1)
// Source: ATen hardshrink.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void HardshrinkShape(PointwiseContext& r, const TensorBase& self, const Scalar& lambd) {
  UnaryOf<kFloatingTypes>(r, self);
  RequireFits(r, lambd, self.dtype(), "lambd");
}

}  // namespace

const Operator hardshrink_op{"hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", HardshrinkShape,
                             kOut, kFormula<f::Hardshrink>};

}  // namespace sy
