// Standard deviation of the elements of self along `dim`, or of all of them.
//   self: floating or complex; dim: none, one or several dimensions (none: all)   →   the sizes
//   left (reduced ones stay as 1 with keepdim), real dtype of self
//   correction: subtracted from the number of elements in the divisor; 1 unless given
//   unbiased: correction 1, else 0
// NaN where there are not more elements than the correction.
// Errors: kInvalidArgument for integers and bool, kOutOfRange for a dimension out of range.
// Example: sy::std(x, {0}, /*unbiased=*/true)
// Source: ATen std.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void StdRule(Rule& r, const Meta& self, std::optional<IntSpan> dim, const std::optional<Scalar>&,
             bool keepdim) {
  if (!IsFloating(self.dtype()) && !IsComplex(self.dtype())) {
    r.Fail({"self must be floating or complex, got ", self.dtype()});
  }
  r.Output(ReduceSizes(r, self, dim, keepdim).sizes, RealType(self.dtype())).cast =
      CastPolicy::kCan;
  r.SetComputeDType(self.dtype());
}

}  // namespace

const Operator std_op{"std(Tensor self, bool unbiased=True) -> Tensor", KeyRule::kFirst};
const Operator std_dim_op{
    "std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
    KeyRule::kFirst, Out("out")};
const Operator std_correction_op{
    "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) "
    "-> Tensor",
    StdRule, kOut};

}  // namespace sy
