// Smallest element of self, or smallest elements along `dim` with their positions; NaN wins over
// numbers.
//   self: real; dim: one dimension   →   0-d; with dim, values and int64 indices of the sizes left
//   (the reduced one stays as 1 with keepdim), the first position where several are equal
// Errors: kInvalidArgument for complex numbers and when there is no element, kOutOfRange for a
// dimension out of range.
// Example: auto [values, indices] = sy::min(x, 0)
// Source: ATen min.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator min_op{"min(Tensor self) -> Tensor", ExtremeShape,
                      Out("unary_out") | Tags(OperatorTag::kReduction)};
const Operator min_dim_op{
    "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    Outputs<2>(ExtremeDimShape),
    Out("min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) "
        "min_indices) -> (Tensor(a!) values, Tensor(b!) indices)") |
        Tags(OperatorTag::kReduction)};

}  // namespace sy
