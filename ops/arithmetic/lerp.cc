// Linear interpolation: self + weight * (end - self).
//   self, end: floating or complex, of one dtype; weight: of that dtype, or a number; sizes that
//   broadcast   →   common sizes, dtype of self
// Errors: kInvalidArgument when dtypes differ or sizes do not broadcast, or for a complex weight
// between real numbers.
// Example: sy::lerp(a, b, 0.25)
// Source: ATen lerp.
#include "switchyard/ops/formulas/lerp.h"

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LerpShape(PointwiseContext& r, const TensorBase& self, const TensorBase& end,
               const TensorBase& weight) {
  RequireSameDType(r, self, end, "self", "end");
  if (weight.dim() != 0) RequireSameDType(r, self, weight, "self", "weight");
  if (IsComplex(weight.dtype()) && !IsComplex(self.dtype())) {
    r.Fail({"weight must be real for ", self.dtype(), ", got ", weight.dtype()});
  }
  r.PointwiseAs(self.dtype(), {&self, &end, &weight});
}

}  // namespace

const Operator lerp_op{"lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", LerpShape,
                       kInPlace | kOut, kFormula<f::Lerp>};
const Operator lerp_scalar_op{"lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
                              WithNumber<2>("lerp.Tensor", LerpShape), kInPlace | kOut};

}  // namespace sy
