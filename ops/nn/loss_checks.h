// What losses, and what they pass back, ask of their arguments.
//
//   RequireReduction(r.op(), reduction);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument in the name of the operator.
#ifndef SWITCHYARD_OPS_NN_LOSS_CHECKS_H_
#define SWITCHYARD_OPS_NN_LOSS_CHECKS_H_

#include <string_view>

#include "switchyard/core/error.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/shape_context.h"
#include "switchyard/ops/nn/reduction.h"

namespace sy {

inline void RequireReduction(std::string_view op, int64_t reduction) {
  if (reduction >= kReduceNone && reduction <= kReduceSum) return;
  Fail(ErrorCode::kInvalidArgument, op,
       {"reduction must be 0 (none), 1 (mean) or 2 (sum), got ", reduction});
}
// Of smooth_l1_loss, and of huber_loss.
inline void RequireBeta(const ShapeContext& r, double beta) {
  if (!(beta >= 0)) r.Fail({"beta must not be negative, got ", beta});
}
inline void RequireDelta(const ShapeContext& r, double delta) {
  if (!(delta > 0)) r.Fail({"delta must be positive, got ", delta});
}
// Of binary_cross_entropy. weight: may be undefined.
inline void RequireProbabilities(const ShapeContext& r, const TensorBase& self,
                                 const TensorBase& target, const TensorBase& weight) {
  if (!SameSizes(self.sizes(), target.sizes())) {
    r.Fail(
        {"self and target must have the same sizes, got ", self.sizes(), " and ", target.sizes()});
  }
  if (weight.defined() && !IsExpandable(weight.sizes(), self.sizes()))
    r.Fail({"weight of sizes ", weight.sizes(), " must broadcast to self's ", self.sizes()});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_LOSS_CHECKS_H_
