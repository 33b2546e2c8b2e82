// One number as a 0-d tensor.
//   s: a number   →   []; `dtype` or the default dtype
// Errors: kInvalidArgument when the number does not fit the dtype; else as empty.
// Example: sy::scalar_tensor(2.5)
// Source: ATen scalar_tensor.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator scalar_tensor_op{
    "scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, "
    "bool? pin_memory=None) -> Tensor"};

}  // namespace sy
