// The number in a tensor of one element, read to the host; is_nonzero: whether it is not 0.
//   self: 1 element   →   a number; is_nonzero: a bool
// Errors: kInvalidArgument for another number of elements, kDataDependent on devices without data
// (meta).
// Example: sy::item(sy::sum(x)).To<double>()
// Source: ATen item, _local_scalar_dense, is_nonzero.
#include "switchyard/core/transfer.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

Scalar Item(Call call, const Tensor& self) {
  if (self.numel() != 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must have one element, got sizes ", self.sizes()});
  }
  return ReadNumber(self);
}
bool IsNonzero(Call call, const Tensor& self) { return Item(call, self).To<bool>(); }

}  // namespace

const Operator item_op{"item(Tensor self) -> Scalar", Tags(OperatorTag::kDataDependentOutput)};
const Operator local_scalar_dense_op{"_local_scalar_dense(Tensor self) -> Scalar",
                                     Tags(OperatorTag::kDataDependentOutput)};
const Composite item{"item", Item};
const Composite local_scalar_dense{"_local_scalar_dense", Item};
const Operator is_nonzero_op{"is_nonzero(Tensor self) -> bool"};
const Composite is_nonzero{"is_nonzero", IsNonzero};

}  // namespace sy
