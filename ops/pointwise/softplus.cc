// log(1 + exp(beta x)) / beta of each element x; x where beta x is above `threshold`.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::softplus(x)
// Source: ATen softplus.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void SoftplusRule(Rule& r, const Meta& self, const Scalar&, const Scalar&) {
  UnaryOf<kFloatingTypes>(r, self);
}

}  // namespace

const Operator softplus_op{"softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
                           SoftplusRule, kOut};

}  // namespace sy
