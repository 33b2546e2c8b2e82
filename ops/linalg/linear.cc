// input times weight transposed, plus bias: a layer of a network.
//   input: [.., k], weight: [n, k] or [k], bias: sizes that expand to the result's; one dtype, not
//   bool   →   [.., n], or [..] for a weight of one dimension
// Errors: kInvalidArgument when sizes or dtypes do not fit.
// Example: sy::linear(x, a)
// Source: ATen linear.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator linear_op{"linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
                         KeyRule::kFirst, kOut | Tags(OperatorTag::kSameDTypeOut)};

}  // namespace sy
