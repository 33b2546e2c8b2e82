// self + value * tensor1 / tensor2, element by element.
//   self, tensor1, tensor2: floating or complex in the end, sizes that broadcast, dtypes that
//   promote   →   common sizes and dtype
// Errors: kInvalidArgument when sizes do not broadcast, or tensor1 and tensor2 are both integers.
// Example: sy::addcdiv(x, a, b, 0.5)
// Source: ATen addcdiv.
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AddcdivShape(PointwiseContext& r, const TensorBase& self, const TensorBase& tensor1,
                  const TensorBase& tensor2, const Scalar& value) {
  if (IsIntegral(tensor1.dtype(), true) && IsIntegral(tensor2.dtype(), true))
    r.Fail({"tensor1 and tensor2 must not both be integers, got ", tensor1.dtype(), " and ",
            tensor2.dtype(), "; divide them with a rounding mode first"});
  r.Pointwise({&self, &tensor1, &tensor2});
  RequireComputeDType(r, kFloatingTypes | kComplexTypes);
  RequireFits(r, value, r.compute_dtype(), "value");
}

}  // namespace

const Operator addcdiv_op{
    "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
    AddcdivShape, kInPlace | kOut, kFormula<f::AddQuotient>};

}  // namespace sy
