// Elements of each line along `dim` in ascending order, or in descending order, and where they
// were. Equal elements keep their order; NaN is greater than every number.
//   self: real   →   values like self, and int64 indices that lie alike; argsort gives the indices
//   alone, msort the values along dim 0
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument for complex numbers.
// Example: auto [values, indices] = sy::sort(x)
// Source: ATen sort, argsort, msort.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void CheckSort(ShapeContext& r, const TensorBase& self, int64_t& dim) {
  dim = r.WrapDim(dim, self);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
}

void SortShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool /*descending*/) {
  CheckSort(r, self, dim);
  r.OutputLike(self);
  r.OutputLike(self, DType::kInt64);
}
void SortStableShape(ShapeContext& r, const TensorBase& self, Optional<bool> /*stable*/,
                     int64_t& dim, bool descending) {
  SortShape(r, self, dim, descending);
}
void ArgsortShape(ShapeContext& r, const TensorBase& self, int64_t& dim, bool /*descending*/) {
  CheckSort(r, self, dim);
  r.OutputLike(self, DType::kInt64);
  r.SetComputeDType(self.dtype());
}
void ArgsortStableShape(ShapeContext& r, const TensorBase& self, bool /*stable*/, int64_t& dim,
                        bool descending) {
  ArgsortShape(r, self, dim, descending);
}
void MsortShape(ShapeContext& r, const TensorBase& self) {
  int64_t first = 0;
  CheckSort(r, self, first);
  r.OutputLike(self);
}

}  // namespace

const Operator sort_op{
    "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    Outputs<2>(SortShape),
    Out("sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, "
        "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)")};
const Operator sort_stable_op{
    "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor "
    "values, Tensor indices)",
    Outputs<2>(SortStableShape),
    Out("sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, "
        "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)")};
const Operator argsort_op{"argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
                          ArgsortShape};
const Operator argsort_stable_op{
    "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
    ArgsortStableShape, kOut};
const Operator msort_op{"msort(Tensor self) -> Tensor", MsortShape, kOut};

}  // namespace sy
