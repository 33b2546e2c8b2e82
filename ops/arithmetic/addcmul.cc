// self + value * tensor1 * tensor2, element by element.
//   self, tensor1, tensor2: not bool, sizes that broadcast, dtypes that promote   →   common sizes
//   and dtype
// Errors: kInvalidArgument when sizes do not broadcast or value does not fit the dtype;
// kNotImplemented for bool.
// Example: sy::addcmul(x, a, b, 0.5)
// Source: ATen addcmul.
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AddcmulShape(PointwiseContext& r, const TensorBase& self, const TensorBase& tensor1,
                  const TensorBase& tensor2, const Scalar& value) {
  r.Pointwise({&self, &tensor1, &tensor2});
  RequireComputeDType(r, kIntegerTypes | kFloatingTypes | kComplexTypes | Bit(DType::kComplex32));
  RequireFits(r, value, r.compute_dtype(), "value");
}

}  // namespace

const Operator addcmul_op{
    "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    AddcmulShape, kInPlace | kOut, kFormula<f::AddProduct>};

}  // namespace sy
