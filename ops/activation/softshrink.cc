// Each element, nearer to 0 by `lambd`; 0 where it is within [-lambd, lambd].
//   self: any sizes, floating; lambd: not negative   →   like self
// Errors: kInvalidArgument for a lambd that is negative or beyond self's dtype, kNotImplemented for
// anything but floating tensors.
// Example: sy::softshrink(x, 0.1)
// Source: ATen softshrink.
#include <cmath>

#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SoftshrinkShape(PointwiseContext& r, const TensorBase& self, const Scalar& lambd) {
  UnaryOf<kFloatingTypes>(r, self);
  const double number = lambd.To<double>();
  if (!(number >= 0 && std::isfinite(number) && lambd.Fits(self.dtype()))) {
    r.Fail({"lambd must be from 0 to what ", self.dtype(), " holds, got ", lambd.str()});
  }
}

}  // namespace

const Operator softshrink_op{"softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", SoftshrinkShape,
                             kOut, kFormula<f::Softshrink>};

}  // namespace sy
