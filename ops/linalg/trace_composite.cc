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

}  // namespace
}  // namespace sy
