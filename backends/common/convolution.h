// The arguments of convolution beside its tensors, and how 16-bit ones are summed.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_COMMON_CONVOLUTION_H_
#define SWITCHYARD_BACKENDS_COMMON_CONVOLUTION_H_

#include "switchyard/core/dtype.h"
#include "switchyard/core/shape.h"

namespace sy {

// Lists: one number for each of the image's dimensions, or one for all.
struct ConvolutionParameters {
  IntSpan stride, padding, dilation, output_padding;
  bool transposed;
  int64_t groups;
};

// Whether the columns that a transposed convolution adds are rounded to d each time, as ATen's are,
// but for bfloat16 that it gives to its library. dims: of the image.
// Source: use_mkldnn and is_output_padding_big, ATen/native/Convolution.cpp.
bool RoundsColumns(DType d, const ConvolutionParameters& c, int64_t dims);

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_CONVOLUTION_H_
