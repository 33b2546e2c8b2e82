// Each element, 0 where it is within [-lambd, lambd].
//   self: any sizes, floating   →   like self
// Errors: kInvalidArgument for a number that does not fit self's dtype, kNotImplemented for
// anything but floating tensors.
// Example: sy::hardshrink(x, 0.1)
// Source: ATen hardshrink.
#include "switchyard/ops/number.h"
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void HardshrinkRule(Rule& r, const Meta& self, const Scalar& lambd) {
  UnaryOf<kFloatingTypes>(r, self);
  RequireFits(r, lambd, self.dtype(), "lambd");
}

}  // namespace

const Operator hardshrink_op{"hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor", HardshrinkRule,
                             kOut};

}  // namespace sy
