// Counts the elements of self that are not zero, along `dim` or altogether.
//   self: any sizes; dim: none, one or several dimensions (none: all)   →   int64; the sizes left
// Errors: kOutOfRange for a dimension out of range.
// Example: sy::count_nonzero(x, 0)
// Source: ATen count_nonzero.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void CountDimsRule(Rule& r, const Meta& self, IntSpan dim) {
  r.Output(ReduceSizes(r, self, dim, false).sizes, DType::kInt64);
  r.SetComputeDType(self.dtype());
}

void CountRule(Rule& r, const Meta& self, std::optional<int64_t> dim) {
  CountDimsRule(r, self, dim ? IntSpan(&*dim, 1) : IntSpan());
}

}  // namespace

const Operator count_nonzero_op{"count_nonzero(Tensor self, int? dim=None) -> Tensor", CountRule,
                                kOut};
const Operator count_nonzero_dims_op{"count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor",
                                     CountDimsRule, kOut};

}  // namespace sy
