// trace by sum of the diagonal.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Trace(Call call, const Tensor& self) {
  if (self.dim() != 2)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"self must be 2-d, got ", self.sizes()});
  return sum(diagonal(self));
}
const Composite trace_body{"trace", Trace};
// Of tall matrices ATen's goes on where the diagonal has ended; here the rest is zero, which is the
// gradient.
Tensor TraceBackward(Call call, const Tensor& grad, IntSpan sizes) {
  if (sizes.size() != 2)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"sizes must be 2, a matrix's, got ", sizes});
  if (grad.dim() != 0)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"grad must be 0-d, got sizes ", grad.sizes()});
  const Tensor out = new_zeros(grad, sizes);
  fill_(diagonal(out), grad);
  return out;
}
const Composite trace_backward_body{"trace_backward", TraceBackward};

}  // namespace
}  // namespace sy
