// The sizes that a convolution gives, and checks of the sizes and numbers that it is given.
//
//   int64_t room[5];
//   const IntSpan sizes = ConvolutionSizes(r.op(), input, weight, stride, …, groups, room);
//
// Owns: nothing; the result lies in `room`. Threads: any.
// Errors: kInvalidArgument naming the operator `op` and what does not fit.
#ifndef SWITCHYARD_OPS_NN_CONVOLUTION_SIZES_H_
#define SWITCHYARD_OPS_NN_CONVOLUTION_SIZES_H_

#include <string_view>

#include "switchyard/core/tensor.h"

namespace sy {

#pragma GCC visibility push(default)

// input: [n, channels, 1 to 3 dimensions]; weight: [out, in / groups, kernel], transposed: [in,
// out / groups, kernel]; stride, padding, dilation, output_padding: an entry for each dimension, or
// one for all; output_padding is of transposed convolutions alone, below stride or dilation.
//   →   [n, out, …]; room: 5 entries, which the result lies in
IntSpan ConvolutionSizes(std::string_view op, const TensorBase& input, const TensorBase& weight,
                         IntSpan stride, IntSpan padding, IntSpan dilation, bool transposed,
                         IntSpan output_padding, int64_t groups, int64_t* room);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_CONVOLUTION_SIZES_H_
