// What operators check and make that give the gradients of a normalisation's input, weight and
// bias: those that `output_mask` asks for, of any device; the others are undefined. Kernels fill
// them.
//
//   Gradients made = LayerNormGradients(call, grad_out, input, shape, mean, rstd, weight, bias,
//                                       output_mask);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument for sizes or dtypes that do not fit, and gradients of what is not there;
// kNotImplemented for inputs that are not floating.
#ifndef SWITCHYARD_OPS_NN_NORM_BACKWARD_H_
#define SWITCHYARD_OPS_NN_NORM_BACKWARD_H_

#include <span>
#include <tuple>

#include "switchyard/op/kernel.h"

namespace sy {

#pragma GCC visibility push(default)

using Gradients = std::tuple<Tensor, Tensor, Tensor>;
using OutputMask = std::span<const bool>;

// As the operators' arguments.
Gradients LayerNormGradients(Call call, const Tensor& grad_out, const Tensor& input,
                             IntSpan normalized_shape, const Tensor& mean, const Tensor& rstd,
                             const Tensor& weight, const Tensor& bias, OutputMask output_mask);
Gradients BatchNormGradients(Call call, const Tensor& grad_out, const Tensor& input,
                             const Tensor& weight, const Tensor& running_mean,
                             const Tensor& running_var, const Tensor& save_mean,
                             const Tensor& save_invstd, bool train, double eps,
                             OutputMask output_mask);
Gradients GroupNormGradients(Call call, const Tensor& grad_out, const Tensor& input,
                             const Tensor& mean, const Tensor& rstd, const Tensor& weight,
                             int64_t n, int64_t c, int64_t hxw, int64_t group,
                             OutputMask output_mask);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_NORM_BACKWARD_H_
