// Angle of each element in the complex plane, in radians: 0 or pi for real numbers, NaN for NaN.
//   self: any sizes; integers and bool compute in the default dtype   →   like self; the real dtype
//   where self is complex
// Example: sy::angle(x)
// Source: ATen angle.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void AngleRule(Rule& r, const Meta& self) {
  UnaryFloatOf<kNumbers>(r, self);
  if (IsComplex(self.dtype())) r.output(0).dtype = RealType(self.dtype());
}

}  // namespace

const Operator angle_op{"angle(Tensor self) -> Tensor", AngleRule, kOut};

}  // namespace sy
