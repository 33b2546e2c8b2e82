// Whether each element is zero.
//   self: any sizes   →   bool, sizes of self; in place and out=: 0 and 1 in their dtype
// Example: sy::logical_not(x)
// Source: ATen logical_not.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void LogicalNotRule(Rule& r, const Meta& self) { r.Pointwise(self, Promote::kCompare); }

}  // namespace

const Operator logical_not_op{"logical_not(Tensor self) -> Tensor", LogicalNotRule,
                              kInPlace | kOut};

}  // namespace sy
