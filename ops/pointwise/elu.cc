// Each element x times `scale`; alpha scale (exp(input_scale x) - 1) where it is below 0.
//   self: any sizes, floating   →   like self
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::elu(x)
// Source: ATen elu.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void EluRule(Rule& r, const Meta& self, const Scalar&, const Scalar&, const Scalar&) {
  UnaryOf<kFloatingTypes>(r, self);
}

}  // namespace

const Operator elu_op{
    "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor", EluRule,
    kInPlace | kOut};

}  // namespace sy
