// The k largest (or smallest) elements of each line along `dim`, and where they are. NaN is greater
// than every number.
//   self: real, not bool; k: 0 … size of dim   →   values and int64 indices, k along dim,
//   row-major; in descending (ascending) order where `sorted`
// Which of equal elements are taken is open: here, those that come first.
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument for such a k; kNotImplemented
// for other dtypes.
// Example: auto [values, indices] = sy::topk(x, 2)
// Source: ATen topk.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void TopkShape(ShapeContext& r, const TensorBase& self, int64_t k, int64_t& dim, bool /*largest*/,
               bool /*sorted*/) {
  dim = r.WrapDim(dim, self);
  const int64_t n = self.dim() == 0 ? 1 : self.sizes()[dim];
  if (k < 0 || k > n) r.Fail({"k must be 0 to ", n, ", the size of dim ", dim, ", got ", k});
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  int64_t* sizes = r.Ints(self.dim());
  std::copy(self.sizes().begin(), self.sizes().end(), sizes);
  if (self.dim() > 0) sizes[dim] = k;
  const IntSpan left(sizes, self.sizes().size());
  r.Output(left, self.dtype());
  r.Output(left, DType::kInt64);
}

}  // namespace

const Operator topk_op{
    "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor "
    "values, Tensor indices)",
    Outputs<2>(TopkShape),
    Out("topk.values(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True, *, "
        "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)") |
        Tags(OperatorTag::kOpenTies)};

}  // namespace sy
