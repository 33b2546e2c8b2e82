// Linear interpolation: self + weight * (end - self).
//   self, end: floating or complex, of one dtype; weight: of that dtype, or a number; sizes that
//   broadcast   →   common sizes, dtype of self
// Errors: kInvalidArgument when dtypes differ or sizes do not broadcast, or for a complex weight
// between real numbers.
// Example: sy::lerp(a, b, 0.25)
// Source: ATen lerp.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void LerpRule(Rule& r, const Meta& self, const Meta& end, const Meta& weight) {
  RequireSameDType(r, self, end, "self", "end");
  if (weight.dim() != 0) RequireSameDType(r, self, weight, "self", "weight");
  if (IsComplex(weight.dtype()) && !IsComplex(self.dtype())) {
    r.Fail({"weight must be real for ", self.dtype(), ", got ", weight.dtype()});
  }
  r.PointwiseAs(self.dtype(), {&self, &end, &weight});
}

}  // namespace

const Operator lerp_op{"lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", LerpRule,
                       kInPlace | kOut};
const Operator lerp_scalar_op{"lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
                              WithNumber<2>("lerp.Tensor", LerpRule), kInPlace | kOut};

}  // namespace sy
