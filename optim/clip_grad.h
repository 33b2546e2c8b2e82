// Gradients kept within bounds, between backward and an optimiser's step.
//
//   backward(loss);
//   optim::clip_grad_norm_(network.parameters(), 1.0);
//   optimizer.step();
//
// torch.nn.utils' functions. Parameters without a gradient are passed over.
// Owns: nothing; gradients are written in place.
// Threads: any, each on parameters of its own.
// Errors: kInvalidArgument for bounds out of their range, kInvalidValue for a norm that is not
// finite, where that is asked for; what operators say.
#ifndef SWITCHYARD_OPTIM_CLIP_GRAD_H_
#define SWITCHYARD_OPTIM_CLIP_GRAD_H_

#include "switchyard/core/tensor.h"

namespace sy::optim {

// Scales all gradients by max_norm / (norm + 1e-6) where that is below 1. norm_type: of the norm of
// all of them taken as one vector; infinity for the largest absolute value. Returns the norm
// before, one number on the first gradient's device; 0 where there are no gradients.
SY_API Tensor clip_grad_norm_(TensorList parameters, double max_norm, double norm_type = 2,
                              bool error_if_nonfinite = false);

// Clamps every element to -clip_value … clip_value.
SY_API void clip_grad_value_(TensorList parameters, double clip_value);

}  // namespace sy::optim

#endif  // SWITCHYARD_OPTIM_CLIP_GRAD_H_
