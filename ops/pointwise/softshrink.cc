// Each element, nearer to 0 by `lambd`; 0 where it is within [-lambd, lambd].
//   self: any sizes, floating; lambd: not negative   →   like self
// Errors: kInvalidArgument for a negative lambd, kNotImplemented for anything but floating tensors.
// Example: sy::softshrink(x, 0.1)
// Source: ATen softshrink.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void SoftshrinkRule(Rule& r, const Meta& self, const Scalar& lambd) {
  if (lambd.To<double>() < 0) r.Fail({"lambd must not be negative, got ", lambd.str()});
  UnaryOf<kFloatingTypes>(r, self);
}

}  // namespace

const Operator softshrink_op{"softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", SoftshrinkRule,
                             kOut};

}  // namespace sy
