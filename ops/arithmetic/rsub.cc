// Subtracts self, multiplied by `alpha`, from other.
//   self, other: sizes that broadcast, dtypes that promote, not bool   →   common sizes and dtype
// Errors: kInvalidArgument for bool, when sizes do not broadcast, or alpha is floating or complex
// and the result is not.
// Example: sy::rsub(a, b)
// Source: ATen rsub.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RsubShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other,
               const Scalar& alpha) {
  if (self.dtype() == DType::kBool || other.dtype() == DType::kBool) {
    r.Fail({"bool cannot be subtracted; use bitwise_xor or logical_not. Got ", self.dtype(),
            " and ", other.dtype()});
  }
  r.Pointwise(other, self);
  RequireAlpha(r, alpha);
}

}  // namespace

const Operator rsub_op{"rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                       RsubShape,
                       kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator rsub_scalar_op{
    "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    WithNumber<1>("rsub.Tensor", RsubShape),
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
