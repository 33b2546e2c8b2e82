// log_sigmoid with what its gradient needs, e^-|self|, and what it passes back: grad_output
// (1 - buffer / (1 + buffer)) below 0, grad_output buffer / (1 + buffer) elsewhere.
//   self, grad_output, buffer: floating; for the gradient of one dtype and sizes that broadcast   →
//   sizes and dtype of self, row-major, twice; the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast and dtypes that differ, kNotImplemented
// for anything but floating tensors.
// Example: auto [z, buffer] = sy::log_sigmoid_forward(x); sy::log_sigmoid_backward(g, x, buffer)
// Source: ATen log_sigmoid_forward, whose buffer is empty on cuda, and log_sigmoid_backward.
#include "switchyard/ops/formulas/activation_backward.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LogSigmoidForwardShape(PointwiseContext& r, const TensorBase& self) {
  RequireDType(r, self, kFloatingTypes);
  r.Output(self.sizes(), self.dtype());
  r.Output(self.sizes(), self.dtype());
}
void LogSigmoidBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                             const TensorBase& self, const TensorBase& buffer) {
  r.Pointwise({&self, &buffer, &grad_output});  // the result lies as self does
  RequireComputeDType(r, kFloatingTypes);
  RequireSameDType(r, grad_output, self, "grad_output", "self");
  RequireSameDType(r, buffer, self, "buffer", "self");
  r.output(0).cast = CastPolicy::kSame;
}

}  // namespace

const Operator log_sigmoid_forward_op{
    "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
    Outputs<2>(LogSigmoidForwardShape),
    Out("log_sigmoid_forward.output(Tensor self, *, Tensor(a!) output, Tensor(b!) buffer) -> "
        "(Tensor(a!), Tensor(b!))")};
const Operator log_sigmoid_backward_op{
    "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> Tensor",
    LogSigmoidBackwardShape,
    Out("log_sigmoid_backward.grad_input(Tensor grad_output, Tensor self, Tensor buffer, *, "
        "Tensor(a!) grad_input) -> Tensor(a!)"),
    kFormula<f::LogSigmoidBackward>};

}  // namespace sy
