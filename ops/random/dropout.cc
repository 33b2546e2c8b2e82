// In training, sets each element to 0 with probability p and divides the others by 1 - p; else
// gives back input.
//   input: floating or complex (in training); p: 0 … 1   →   like input
// Errors: kInvalidArgument for p out of range.
// Example: sy::dropout(x, 0.1, /*train=*/true)
// Source: ATen dropout; the numbers for a seed are PyTorch's.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator dropout_op{
    "dropout(Tensor input, float p, bool train) -> Tensor", KeyRule::kFirst,
    Tags(OperatorTag::kNondeterministicSeeded, OperatorTag::kMaybeAliasingOrMutating)};
const Operator dropout_in_place_op{"dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)",
                                   KeyRule::kFirst, Tags(OperatorTag::kNondeterministicSeeded)};

}  // namespace sy
