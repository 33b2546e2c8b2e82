// What threshold, and relu by its result, pass back: grad_output where self is above the threshold,
// else 0.
//   grad_output, self: sizes that broadcast, floating   →   the common sizes
// Errors: kInvalidArgument for sizes that do not broadcast or a threshold that does not fit,
// kNotImplemented for bool and complex numbers.
// Example: sy::threshold_backward(g, x, 0)
// Source: ATen threshold_backward.
#include "switchyard/ops/activation/backward.h"
#include "switchyard/ops/formulas/activation_backward.h"

namespace sy {
namespace {

void ThresholdBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
                            const TensorBase& self, const Scalar& threshold) {
  // The result lies as self does, then as the gradient.
  BinaryOf<kIntegerTypes | kFloatingTypes>(r, self, grad_output);
  RequireFits(r, threshold, grad_output, self, "threshold");
}

}  // namespace

const Operator threshold_backward_op{
    "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
    ThresholdBackwardShape,
    Out("threshold_backward.grad_input(Tensor grad_output, Tensor self, Scalar threshold, *, "
        "Tensor(a!) grad_input) -> Tensor(a!)"),
    kFormula<f::ThresholdBackward>};

}  // namespace sy
