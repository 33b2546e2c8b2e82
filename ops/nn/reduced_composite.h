// What bodies of losses do with the losses of elements.
#ifndef SWITCHYARD_OPS_NN_REDUCED_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_REDUCED_COMPOSITE_H_

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"
#include "switchyard/ops/nn/loss_checks.h"

namespace sy {

inline Tensor ReducedLoss(Call call, const Tensor& loss, int64_t reduction) {
  RequireReduction(call.op(), reduction);
  if (reduction == kReduceNone) return loss;
  return reduction == kReduceMean ? mean(loss) : sum(loss);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_REDUCED_COMPOSITE_H_
