// Elements of each line along `dim` in ascending order, or in descending order, and where they
// were. Equal elements keep their order; NaN is greater than every number.
//   self: real   →   values like self, and int64 indices that lie alike; argsort gives the indices
//   alone, msort the values along dim 0
// Errors: kOutOfRange for a dimension out of range; kInvalidArgument for complex numbers.
// Example: auto [values, indices] = sy::sort(x)
// Source: ATen sort, argsort, msort.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void CheckSort(Rule& r, const Meta& self, int64_t dim) {
  r.WrapDim(dim, self);
  if (IsComplex(self.dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
}

void SortRule(Rule& r, const Meta& self, int64_t dim, bool /*descending*/) {
  CheckSort(r, self, dim);
  r.OutputLike(self);
  r.OutputLike(self, DType::kInt64);
}
void SortStableRule(Rule& r, const Meta& self, Optional<bool> /*stable*/, int64_t dim,
                    bool descending) {
  SortRule(r, self, dim, descending);
}
void ArgsortRule(Rule& r, const Meta& self, int64_t dim, bool /*descending*/) {
  CheckSort(r, self, dim);
  r.OutputLike(self, DType::kInt64);
  r.SetComputeDType(self.dtype());
}
void ArgsortStableRule(Rule& r, const Meta& self, bool /*stable*/, int64_t dim, bool descending) {
  ArgsortRule(r, self, dim, descending);
}
void MsortRule(Rule& r, const Meta& self) {
  CheckSort(r, self, 0);
  r.OutputLike(self);
}

}  // namespace

const Operator sort_op{
    "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)",
    Outputs<2>(SortRule),
    Out("sort.values(Tensor self, int dim=-1, bool descending=False, *, Tensor(a!) values, "
        "Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)")};
const Operator sort_stable_op{
    "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor "
    "values, Tensor indices)",
    Outputs<2>(SortStableRule),
    Out("sort.values_stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False, "
        "Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)")};
const Operator argsort_op{"argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
                          ArgsortRule};
const Operator argsort_stable_op{
    "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor",
    ArgsortStableRule, kOut};
const Operator msort_op{"msort(Tensor self) -> Tensor", MsortRule, kOut};

}  // namespace sy
