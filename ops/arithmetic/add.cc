// Adds `other`, multiplied by `alpha`, to self.
//   self, other: sizes that broadcast, dtypes that promote   →   common sizes and dtype
// For bool it is logical or.
// Errors: kInvalidArgument when sizes do not broadcast, or alpha is floating or complex and the
// result is not.
// Example: sy::add(a, b, 2)
// Source: ATen add.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void AddShape(PointwiseContext& r, const TensorBase& self, const TensorBase& other,
              const Scalar& alpha) {
  r.Pointwise(self, other);
  RequireAlpha(r, alpha);
}

}  // namespace

const Operator add_op{"add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
                      AddShape, kInPlace | Out("out")};
const Operator add_scalar_op{
    "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
    WithNumber<1>("add.Tensor", AddShape),
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
