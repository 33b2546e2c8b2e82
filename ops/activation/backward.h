// What operators that pass a gradient back have in common.
//
//   void SiluBackwardShape(PointwiseContext& r, const TensorBase& grad_output,
//                          const TensorBase& self) {
//     BackwardShape(r, grad_output, self);
//   }
//
// Owns: nothing. Threads: any. Errors: kInvalidArgument, kNotImplemented, with the operator's name.
#ifndef SWITCHYARD_OPS_ACTIVATION_BACKWARD_H_
#define SWITCHYARD_OPS_ACTIVATION_BACKWARD_H_

#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

// A gradient and what it is computed from, which broadcast and promote.
inline void BackwardShape(PointwiseContext& r, const TensorBase& grad, const TensorBase& x) {
  BinaryOf<kFloatingTypes>(r, grad, x);
}
// A number beside them, which the dtype of the computation must hold.
inline void RequireFits(PointwiseContext& r, const Scalar& number, const TensorBase& grad,
                        const TensorBase& x, std::string_view name) {
  RequireFits(r, number, ResultType(grad, x), name);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_ACTIVATION_BACKWARD_H_
