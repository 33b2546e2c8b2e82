// 0 where an element of self is below 0, 1 where it is above, that of `values` where it is 0.
//   self, values: real, of one dtype, sizes that broadcast   →   common sizes, dtype of self
// Errors: kInvalidArgument when dtypes differ; kNotImplemented for complex numbers.
// Example: sy::heaviside(a, b)
// Source: ATen heaviside.
#include "switchyard/ops/formulas/classify.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void HeavisideShape(PointwiseContext& r, const TensorBase& self, const TensorBase& values) {
  RequireDType(r, self, Bit(DType::kBool) | kIntegerTypes | kFloatingTypes);
  RequireSameDType(r, self, values, "self", "values");
  const TensorBase* out = r.given_out(0);
  if (out != nullptr && out->dtype() != self.dtype())
    r.Fail({"out must be ", self.dtype(), " as self, got ", out->dtype()});
  BinaryShape(r, self, values);
}

}  // namespace

const Operator heaviside_op{"heaviside(Tensor self, Tensor values) -> Tensor", HeavisideShape,
                            kInPlace | kOut, kFormula<f::Heaviside>};

}  // namespace sy
