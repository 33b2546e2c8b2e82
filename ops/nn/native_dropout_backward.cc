// What dropout passes back: grad_output mask scale.
//   grad_output: any sizes, any dtype; mask: bool, sizes that broadcast   →   the common sizes,
//   dtype of grad_output, the default dtype for integers and bool
// Errors: kInvalidArgument for a mask that is not bool and sizes that do not broadcast.
// Example: sy::native_dropout_backward(x, index, 2.0)
// Source: ATen native_dropout_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator native_dropout_backward_op{
    "native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
    KeyRule::kFirst,
    kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut) |
        Tags(OperatorTag::kPointwise)};

}  // namespace sy
