// What matrix_exp passes back.
//   self, grad: [.., m, m], of one floating or complex dtype   →   like self
// Errors: kInvalidArgument when self is not square or grad has other sizes.
// Example: sy::matrix_exp_backward(sy::eye(3), sy::eye(3))
// Source: ATen matrix_exp_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator matrix_exp_backward_op{"matrix_exp_backward(Tensor self, Tensor grad) -> Tensor",
                                      KeyRule::kFirst};

}  // namespace sy
