// How glu changes along `dim` where x changes by dx (glu_jvp), and how what it passes back changes
// where the gradient changes by dgrad_glu as well (glu_backward_jvp).
//   x, dx, grad_x: [.., 2 n, ..]; glu, grad_glu, dgrad_glu: [.., n, ..]; of one floating dtype
//   →   glu_jvp: like glu; glu_backward_jvp: like x
// Errors: kInvalidArgument for a 0-d tensor, an odd size along dim, other sizes and another dtype;
// kOutOfRange for dim.
// Example: sy::glu_jvp(sy::glu(x, -1), x, sy::ones_like(x), -1)
// Source: ATen glu_jvp, glu_backward_jvp.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator glu_jvp_op{"glu_jvp(Tensor glu, Tensor x, Tensor dx, int dim) -> Tensor",
                          KeyRule::kFirst, kOut};
const Operator glu_backward_jvp_op{
    "glu_backward_jvp(Tensor grad_x, Tensor grad_glu, Tensor x, Tensor dgrad_glu, Tensor dx, int "
    "dim) -> Tensor",
    KeyRule::kFirst, kOut};

}  // namespace sy
