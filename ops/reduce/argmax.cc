// Position of the largest (argmax) or smallest (argmin) element of self along `dim`, or in the
// flattened tensor; NaN comes before every number.
//   self: real, not bool; dim: one dimension, or none for all   →   int64; the sizes left (the
//   reduced one stays as 1 with keepdim), the first position where several are equal
// Errors: kInvalidArgument for complex numbers and when there is no element, kOutOfRange for a
// dimension out of range.
// Example: sy::argmax(x, 1)
// Source: ATen argmax, argmin.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ArgmaxShape(ShapeContext& r, const TensorBase& self, std::optional<int64_t>& dim,
                 bool keepdim) {
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  if (!dim && self.numel() == 0)
    r.Fail({"self has no elements; give dim to say which one is reduced"});
  RequireNonEmptyReduction(r, self, left.mask);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  r.Output(left.sizes, DType::kInt64);
  r.SetComputeDType(self.dtype());
}

}  // namespace

const Operator argmax_op{"argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                         ArgmaxShape, kOut | Tags(OperatorTag::kReduction)};
const Operator argmin_op{"argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                         ArgmaxShape, kOut | Tags(OperatorTag::kReduction)};

}  // namespace sy
