// The norm, or the maximum, of each tensor of a list, in one call.
//   self: one or more tensors; norm: floating or complex, dtype: to compute in   →   a list of 0-dim
//   tensors
// Errors: kInvalidArgument for no tensors; those of linalg_vector_norm and max.
// Example: sy::_foreach_norm({a, b}, 2)
// Source: ATen _foreach_norm, _foreach_max.
#include "ops/foreach/schemas.h"

namespace sy {

const Operator norm_op{
    "_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]"};
const Operator norm_out_op{
    "_foreach_norm.Scalar_out(Tensor[] self, Scalar ord=2, ScalarType? dtype=None, *, "
    "Tensor(a!)[] out) -> ()"};
const Operator max_op{"_foreach_max(Tensor[] self) -> Tensor[]"};
const Operator max_out_op{"_foreach_max.out(Tensor[] self, *, Tensor(a!)[] out) -> ()"};

}  // namespace sy
