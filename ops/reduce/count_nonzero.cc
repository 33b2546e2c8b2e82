// Counts the elements of self that are not zero, along `dim` or altogether.
//   self: any sizes; dim: none, one or several dimensions (none: all)   →   int64; the sizes left
// Errors: kOutOfRange for a dimension out of range.
// Example: sy::count_nonzero(x, 0)
// Source: ATen count_nonzero.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

template <class Dim>
void CountShape(ShapeContext& r, const TensorBase& self, Dim& dim) {
  r.Output(ReduceSizes(r, self, dim, false).sizes, DType::kInt64);
  r.SetComputeDType(self.dtype());
}

}  // namespace

const Operator count_nonzero_op{
    "count_nonzero(Tensor self, int? dim=None) -> Tensor", CountShape<std::optional<int64_t>>,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kReduction)};
const Operator count_nonzero_dims_op{
    "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", CountShape<IntSpan>,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kReduction)};

}  // namespace sy
