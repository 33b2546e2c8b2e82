// What convolution_backward checks, on every device, and how its results lie.
//
//   RequireConvolutionGradient(call.op(), grad_output, input, weight, stride, …, output_mask);
//
// Owns: nothing. Threads: any.
// Errors: of RequireConvolutionGradient: kInvalidArgument, kNotImplemented naming the operator.
#ifndef SWITCHYARD_OPS_NN_CONVOLUTION_GRADIENTS_H_
#define SWITCHYARD_OPS_NN_CONVOLUTION_GRADIENTS_H_

#include <span>

#include "switchyard/op/kernel.h"

namespace sy {

#pragma GCC visibility push(default)

// Arguments as convolution_backward's. grad_output has the sizes that the convolution of input and
// weight gives, all three one floating dtype; output_mask: whether the gradients of input, weight
// and bias are asked for, 3 entries.
void RequireConvolutionGradient(std::string_view op, const TensorBase& grad_output,
                                const TensorBase& input, const TensorBase& weight, IntSpan stride,
                                IntSpan padding, IntSpan dilation, bool transposed,
                                IntSpan output_padding, int64_t groups,
                                std::span<const bool> output_mask);

// Channels last where input or weight lies so. In three dimensions ATen's library has it, which
// serves float32 and bfloat16. Source: _determine_backend_memory_format,
// ATen/native/Convolution.cpp.
MemoryFormat ConvolutionGradientFormat(const TensorBase& input, const TensorBase& weight);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_CONVOLUTION_GRADIENTS_H_
