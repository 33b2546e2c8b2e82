// adaptive_avg_pool3d_backward.grad_input by its other name.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void AdaptiveInto(Call, const Tensor& grad_output, const Tensor& self, const Tensor& grad_input) {
  _adaptive_avg_pool3d_backward_out(grad_input, grad_output, self);
}
const Composite adaptive_into_body{"adaptive_avg_pool3d_backward.grad_input", AdaptiveInto};

}  // namespace
}  // namespace sy
