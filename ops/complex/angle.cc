// Angle of each element in the complex plane, in radians: 0 or pi for real numbers, NaN for NaN.
//   self: any sizes; integers and bool compute in the default dtype   →   like self; the real dtype
//   where self is complex, row-major
// Example: sy::angle(x)
// Source: ATen angle.
#include "switchyard/ops/formulas/trigonometric.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AngleShape(PointwiseContext& r, const TensorBase& self) {
  UnaryFloatOf<kNumbers>(r, self);
  if (!IsComplex(self.dtype())) return;
  r.output(0).dtype = RealType(self.dtype());
  r.output(0).strides = nullptr;  // row-major, as ATen's
}

}  // namespace

const Operator angle_op{"angle(Tensor self) -> Tensor", AngleShape, kOut, kFormula<f::Angle>};

}  // namespace sy
