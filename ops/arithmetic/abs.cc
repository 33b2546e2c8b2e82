// Absolute value of each element; of complex numbers, the magnitude.
//   self: any sizes   →   like self; the real dtype where self is complex
// Errors: kInvalidArgument in place on complex tensors, whose result is real.
// Example: sy::abs(x)
// Source: ATen abs, absolute.
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AbsShape(PointwiseContext& r, const TensorBase& self) {
  UnaryShape(r, self);
  if (!IsComplex(self.dtype())) return;
  if (r.variant() == Variant::kInPlace)
    r.Fail({"the result is real and cannot be stored in place of ", self.dtype()});
  OutputSpec& o = r.output(0);
  o.dtype = RealType(self.dtype());
  o.cast = CastPolicy::kCan;
  if (r.variant() == Variant::kOut) o.strides = nullptr;  // as ATen resizes it
}

}  // namespace

const Operator abs_op{"abs(Tensor self) -> Tensor", AbsShape, kInPlace | kOut, kFormula<f::Abs>};
const Operator absolute_op{"absolute(Tensor self) -> Tensor", SameKernels("abs", AbsShape),
                           kInPlace | kOut};

}  // namespace sy
