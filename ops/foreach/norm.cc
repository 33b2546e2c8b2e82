// The norm, the sum of powers (a norm without its root), or the maximum, of each tensor of a list,
// in one call.
//   self: one or more tensors; norm, powsum: floating or complex; ord: real; dtype: to compute in
//   →   a list of 0-dim tensors
// Errors: kInvalidArgument for no tensors, an ord that is complex or bool; those of
// linalg_vector_norm and max; kNotImplemented for powers of integers.
// Example: sy::_foreach_norm({a, b}, 2)
// Source: ATen _foreach_norm, _foreach_powsum, _foreach_max.
#include "switchyard/ops/foreach/schemas.h"

namespace sy {

const Operator norm_op{
    "_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]",
    KeyRule::kFirst};
const Operator norm_out_op{
    "_foreach_norm.Scalar_out(Tensor[] self, Scalar ord=2, ScalarType? dtype=None, *, "
    "Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator powsum_op{
    "_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]",
    KeyRule::kFirst};
const Operator powsum_out_op{
    "_foreach_powsum.Scalar_out(Tensor[] self, Scalar ord=2, ScalarType? dtype=None, *, "
    "Tensor(a!)[] out) -> ()",
    KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};
const Operator max_op{"_foreach_max(Tensor[] self) -> Tensor[]", KeyRule::kFirst};
const Operator max_out_op{"_foreach_max.out(Tensor[] self, *, Tensor(a!)[] out) -> ()",
                          KeyRule::kFirst, Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
