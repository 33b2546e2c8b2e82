// batch_norm_backward by native_batch_norm_backward.
#include <span>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/nn/norm_backward.h"

namespace sy {
namespace {

// save_var: 1 / sqrt(variance + eps), as batch_norm_with_update gives it.
Gradients Backward(Call, const Tensor& grad_out, const Tensor& input, const Tensor& weight,
                   const Tensor& running_mean, const Tensor& running_var, const Tensor& save_mean,
                   const Tensor& save_var, bool update, double eps, OutputMask output_mask,
                   const Tensor&) {
  return native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean,
                                    save_var, update, eps, output_mask);
}
const Composite backward_body{"batch_norm_backward", Backward};

}  // namespace
}  // namespace sy
