// Smallest element of self, or smallest elements along `dim` with their positions; NaN wins over
// numbers.
//   self: real; dim: one dimension   →   0-d; with dim, values and int64 indices of the sizes left
//   (the reduced one stays as 1 with keepdim), the first position where several are equal
// Errors: kInvalidArgument for complex numbers and when there is no element, kOutOfRange for a
// dimension out of range.
// Example: auto [values, indices] = sy::min(x, 0)
// Source: ATen min.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void AllRule(Rule& r, const Meta& self) {
  if (self.numel() == 0)
    r.Fail({"self has no elements, and there is no identity to return; got sizes ", self.sizes()});
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  r.Output(IntSpan(), self.dtype());
}

void DimRule(Rule& r, const Meta& self, int64_t dim, bool keepdim) {
  const Reduced left = ReduceSizes(r, self, IntSpan(&dim, 1), keepdim);
  RequireNonEmptyReduction(r, self, left.mask);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  r.Output(left.sizes, self.dtype());
  r.Output(left.sizes, DType::kInt64);
}

}  // namespace

const Operator min_op{"min(Tensor self) -> Tensor", AllRule, Out("unary_out")};
const Operator min_dim_op{
    "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    Outputs<2>(DimRule),
    Out("min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) "
        "min_indices) -> (Tensor(a!) values, Tensor(b!) indices)")};

}  // namespace sy
