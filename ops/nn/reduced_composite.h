// What bodies of losses do with the losses of elements.
#ifndef SWITCHYARD_OPS_NN_REDUCED_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_REDUCED_COMPOSITE_H_

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy {

inline Tensor ReducedLoss(Call call, const Tensor& loss, int64_t reduction) {
  if (reduction == kReduceNone) return loss;
  if (reduction == kReduceMean) return mean(loss);
  if (reduction == kReduceSum) return sum(loss);
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"reduction must be 0 (none), 1 (mean) or 2 (sum), got ", reduction});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_REDUCED_COMPOSITE_H_
