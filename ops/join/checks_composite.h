// What joins ask of their lists.
#ifndef SWITCHYARD_OPS_JOIN_CHECKS_COMPOSITE_H_
#define SWITCHYARD_OPS_JOIN_CHECKS_COMPOSITE_H_

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

inline void RequireTensors(Call call, TensorList tensors) {
  if (tensors.empty())
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected at least one tensor"});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_JOIN_CHECKS_COMPOSITE_H_
