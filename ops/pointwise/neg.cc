// Minus each element; integers wrap around.
//   self: any sizes, any dtype but bool   →   like self
// Errors: kInvalidArgument for bool.
// Example: sy::neg(x)
// Source: ATen neg.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void NegRule(Rule& r, const Meta& self) {
  if (self.dtype() == DType::kBool)
    r.Fail({"bool has no negative; use logical_not or ^ to invert it"});
  UnaryRule(r, self);
}

}  // namespace

const Operator neg_op{"neg(Tensor self) -> Tensor", NegRule, kInPlace | kOut};

}  // namespace sy
