// Subtracts `other`, multiplied by `alpha`, from self.
//   self, other: sizes that broadcast, dtypes that promote, not bool   →   common sizes and dtype
// Errors: kInvalidArgument for bool, when sizes do not broadcast, or alpha is floating or complex
// and the result is not.
// Example: sy::sub(a, b)
// Source: ATen sub, subtract.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SubShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other,
              const Scalar& alpha) {
  if (self.dtype() == DType::kBool || other.dtype() == DType::kBool) {
    r.Fail({"bool cannot be subtracted; use bitwise_xor or logical_not. Got ", self.dtype(),
            " and ", other.dtype()});
  }
  r.Pointwise(self, other);
  RequireAlpha(r, alpha);
}

}  // namespace

const Operator sub_op{"sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                      SubShape, kInPlace | Out("out")};
const Operator sub_scalar_op{
    "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    WithNumber<1>("sub.Tensor", SubShape),
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator subtract_op{
    "subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
    SameKernels("sub.Tensor", SubShape), kInPlace | Out("out")};
const Operator subtract_scalar_op{
    "subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    WithNumber<1>("sub.Tensor", SubShape), kInPlace};

}  // namespace sy
