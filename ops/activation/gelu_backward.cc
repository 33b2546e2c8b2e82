// What gelu passes back, exact or by tanh.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for another approximation or sizes that do not broadcast,
// kNotImplemented for anything but floating tensors.
// Example: sy::gelu_backward(g, x, "tanh")
// Source: ATen gelu_backward.
#include "switchyard/ops/activation/backward.h"

namespace sy {
namespace {

void GeluBackwardShape(PointwiseContext& r, const TensorBase& grad_output, const TensorBase& self,
                       std::string_view approximate) {
  if (approximate != "none" && approximate != "tanh")
    r.Fail({"approximate must be 'none' or 'tanh', got '", approximate, "'"});
  BackwardShape(r, grad_output, self);
}

}  // namespace

const Operator gelu_backward_op{
    "gelu_backward(Tensor grad_output, Tensor self, *, str approximate=\"none\") -> Tensor",
    GeluBackwardShape,
    Out("gelu_backward.grad_input(Tensor grad_output, Tensor self, *, str approximate=\"none\", "
        "Tensor(a!) grad_input) -> Tensor(a!)")};

}  // namespace sy
