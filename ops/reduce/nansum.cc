// Sums (nansum) or averages (nanmean) the elements of self along `dim`, or all of them, as if those
// that are NaN were not there.
//   self: real; for nanmean floating; dim: none, one or several dimensions (none: all)   →   the
//   sizes left (reduced ones stay as 1 with keepdim); `dtype` if given, int64 for integers and
//   bool, else dtype of self
// Errors: kInvalidArgument for complex numbers, and for nanmean of anything but floating tensors;
// kNotImplemented for a dtype that has no NaN, of floating self; kOutOfRange for a dimension out of
// range.
// Example: sy::nansum(x, {0, 1}, /*keepdim=*/true)
// Source: ATen nansum, nanmean.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void NansumShape(ShapeContext& r, const TensorBase& self, std::optional<IntSpan>& dim, bool keepdim,
                 Optional<DType> dtype) {
  if (IsComplex(self.dtype())) r.Fail({"self must be real, got ", self.dtype()});
  r.Output(ReduceSizes(r, self, dim, keepdim).sizes, AccumulatedDType(r, self, dtype));
}

}  // namespace

const Operator nansum_op{
    "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> "
    "Tensor",
    NansumShape, kOut | Tags(OperatorTag::kReduction)};
const Operator nanmean_op{
    "nanmean(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> "
    "Tensor",
    KeyRule::kFirst, kOut};

}  // namespace sy
