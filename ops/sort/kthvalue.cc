// The k-th smallest element of each line along `dim` (kthvalue, k from 1), or the most frequent
// one, the smallest where several are (mode), and a place where it is. NaN is greater than every
// number, and different from itself.
//   self: real; kthvalue: not bool   →   values and int64 indices of the sizes left (the reduced
//   one stays as 1 with keepdim)
// Errors: kOutOfRange for a dimension out of range or empty; kInvalidArgument for such a k;
// kNotImplemented for other dtypes.
// Example: auto [values, indices] = sy::kthvalue(x, 1)
// Source: ATen kthvalue, mode.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void OutputsOf(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim) {
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  RequireNonEmptyReduction(r, self, left.mask);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  r.Output(left.sizes, self.dtype());
  r.Output(left.sizes, DType::kInt64);
}

void KthvalueShape(ShapeContext& r, const TensorBase& self, int64_t k, int64_t& dim, bool keepdim) {
  OutputsOf(r, self, dim, keepdim);
  const int64_t n = self.dim() == 0 ? 1 : self.sizes()[dim];
  if (k < 1 || k > n) r.Fail({"k must be 1 to ", n, ", the size of dim ", dim, ", got ", k});
}

void ModeShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool keepdim) {
  OutputsOf(r, self, dim, keepdim);
}

}  // namespace

const Operator kthvalue_op{
    "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor "
    "indices)",
    Outputs<2>(KthvalueShape),
    Out("kthvalue.values(Tensor self, SymInt k, int dim=-1, bool keepdim=False, *, Tensor(a!) "
        "values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)") |
        Tags(OperatorTag::kOpenTies)};
const Operator mode_op{
    "mode(Tensor self, int dim=-1, bool keepdim=False) -> (Tensor values, Tensor indices)",
    Outputs<2>(ModeShape),
    Out("mode.values(Tensor self, int dim=-1, bool keepdim=False, *, Tensor(a!) values, "
        "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)") |
        Tags(OperatorTag::kOpenTies)};

}  // namespace sy
