// What _prelu_kernel passes back, to self and to a weight of self's sizes.
//   grad_output, self, weight: sizes that broadcast, of one floating dtype   →   the common sizes,
//   twice
// Errors: kInvalidArgument when dtypes differ or sizes do not broadcast.
// Example: auto [to_self, to_weight] = sy::_prelu_kernel_backward(g, x, y)
// Source: ATen _prelu_kernel_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void PreluBackwardShape(PointwiseContext& r, const TensorBase& grad_output, const TensorBase& self,
                        const TensorBase& weight) {
  RequireSameDType(r, grad_output, self, "grad_output", "self");
  RequireSameDType(r, self, weight, "self", "weight");
  // The results lie as self does, then as the others.
  r.Pointwise({&self, &weight, &grad_output});
  r.Pointwise({&self, &weight, &grad_output});
  RequireComputeDType(r, kFloatingTypes);
}

}  // namespace

const Operator prelu_kernel_backward_op{
    "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)",
    Outputs<2>(PreluBackwardShape)};

}  // namespace sy
