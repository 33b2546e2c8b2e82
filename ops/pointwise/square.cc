// Square of each element.
//   self: any sizes   →   like self; int64 where self is bool
// Example: sy::square(x)
// Source: ATen square.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

// As the power 2, an int64, of self.
void SquareRule(Rule& r, const Meta& self) {
  r.PointwiseAs(self.dtype() == DType::kBool ? DType::kInt64 : self.dtype(), {&self});
}

}  // namespace

const Operator square_op{"square(Tensor self) -> Tensor", SquareRule, kInPlace | kOut};

}  // namespace sy
