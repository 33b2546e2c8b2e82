// native_dropout_backward by mul.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor DropoutBackward(Call call, const Tensor& grad_output, const Tensor& mask, double scale) {
  if (mask.dtype() != DType::kBool)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"mask must be bool, got ", mask.dtype()});
  return mul(grad_output, mul(to(mask, grad_output.dtype()), scale));
}
const Composite dropout_backward_body{"native_dropout_backward", DropoutBackward};

}  // namespace
}  // namespace sy
