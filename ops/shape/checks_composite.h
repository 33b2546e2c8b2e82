// What is said of tensors of too few dimensions.
#ifndef SWITCHYARD_OPS_SHAPE_CHECKS_COMPOSITE_H_
#define SWITCHYARD_OPS_SHAPE_CHECKS_COMPOSITE_H_

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

[[noreturn]] inline void FailRank(Call call, int64_t least, const Tensor& self) {
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self must have at least ", least, " dimensions, got sizes ", self.sizes()});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_SHAPE_CHECKS_COMPOSITE_H_
