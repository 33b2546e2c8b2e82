// The largest (cummax) or smallest (cummin) element along `dim` up to each element, and where it
// is: the last position where several are equal. From the first NaN on it is NaN.
//   self: real   →   values like self and int64 indices, row-major
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument for complex numbers, but a
// single one.
// Example: auto [values, indices] = sy::cummax(x, 0)
// Source: ATen cummax, cummin.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void CumulativeExtremeShape(ShapeContext& r, const TensorBase& self, int64_t& dim) {
  dim = self.numel() == 0 ? 0 : r.WrapDim(dim, self);  // without elements ATen takes any
  if (IsComplex(self.dtype()) && self.numel() != 0 && self.dim() != 0)
    r.Fail({"complex numbers have no order; got ", self.dtype()});
  r.Output(self.sizes(), self.dtype());
  r.Output(self.sizes(), DType::kInt64);
  if (self.numel() == 0) r.ComputeNothing();
}

}  // namespace

const Operator cummax_op{
    "cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    Outputs<2>(CumulativeExtremeShape),
    Out("cummax.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) "
        "values, Tensor(b!) indices)")};
const Operator cummin_op{
    "cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
    Outputs<2>(CumulativeExtremeShape),
    Out("cummin.out(Tensor self, int dim, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) "
        "values, Tensor(b!) indices)")};

}  // namespace sy
