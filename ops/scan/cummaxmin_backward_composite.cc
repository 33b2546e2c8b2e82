// cummaxmin_backward: gradients are added where the indices say.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor CummaxminBackward(Call, const Tensor& grad, const Tensor& input, const Tensor& indices,
                         int64_t dim) {
  if (input.numel() == 0) return input;
  const Tensor sums = new_zeros(input, input.sizes());
  scatter_add_(sums, dim, indices, grad);
  return sums;
}
const Composite cummaxmin_backward_body{"cummaxmin_backward", CummaxminBackward};

}  // namespace
}  // namespace sy
