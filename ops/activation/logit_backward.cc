// What logit passes back: grad_output / (self (1 - self)); outside of [eps, 1 - eps] 0, or, without
// eps, NaN outside of [0, 1].
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast, kNotImplemented for anything but
// floating tensors.
// Example: sy::logit_backward(g, x, 1e-6)
// Source: ATen logit_backward.
#include "switchyard/ops/activation/backward.h"

namespace sy {
namespace {

void LogitBackwardShape(PointwiseContext& r, const TensorBase& grad_output, const TensorBase& self,
                        std::optional<double>) {
  BackwardShape(r, grad_output, self);
}

}  // namespace

const Operator logit_backward_op{
    "logit_backward(Tensor grad_output, Tensor self, float? eps=None) -> Tensor",
    LogitBackwardShape,
    Out("logit_backward.grad_input(Tensor grad_output, Tensor self, float? eps=None, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)")};

}  // namespace sy
