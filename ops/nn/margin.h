// What margin losses of rows of scores, and what they pass back, ask of their arguments.
//
//   const IntSpan sizes = RequireScores(r, self, reduction);
//   RequireMultiMargin(r, self, target, p, weight);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument, kNotImplemented for a dtype, with the operator's name in front.
#ifndef SWITCHYARD_OPS_NN_MARGIN_H_
#define SWITCHYARD_OPS_NN_MARGIN_H_

#include "switchyard/ops/nn/reduction.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {

#pragma GCC visibility push(default)

inline constexpr DTypeMask kMarginTypes = Mask(DType::kFloat32, DType::kFloat64);

// self: [classes] or [rows, classes], classes not 0; reduction: as in reduction.h.
// Returns the losses' sizes: [rows] without reduction, else [].
IntSpan RequireScores(const ShapeContext& r, const TensorBase& self, int64_t reduction);

// target: [rows], int64, the class of each row; p: 1 or 2; weight: [classes] of self's dtype, or
// undefined.
void RequireMultiMargin(const ShapeContext& r, const TensorBase& self, const TensorBase& target,
                        const Scalar& p, const TensorBase& weight);
// target: self's sizes, int64, the classes of each row, up to one below 0.
void RequireMultilabelMargin(const ShapeContext& r, const TensorBase& self,
                             const TensorBase& target);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_MARGIN_H_
