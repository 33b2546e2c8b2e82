// A convolution's numbers, and its weight as XNNPACK takes it before packing.
//
// Owns: nothing: copies are workspaces of the call.
// Threads: one call.
// Errors: Declined for numbers past 32 bits.
#ifndef XNNPACK_WEIGHTS_H_
#define XNNPACK_WEIGHTS_H_

#include "layout.h"

namespace xnnpack {

struct Numbers {
  uint32_t stride[2], padding[2], dilation[2], more[2], groups;
};
// Of lists of one number, or one for each of the `dims` dimensions; those of lines are of the
// second one. more: output_padding.
Numbers NumbersOf(size_t dims, Span<const int64_t> stride, Span<const int64_t> padding,
                  Span<const int64_t> dilation, Span<const int64_t> more, int64_t groups);

// weight: [o, c / groups, h, w], transposed [c, o / groups, h, w], without the h of lines, of
// floats or bytes. Given as XNNPACK wants it: for each output channel, group by group, the pixels
// of the kernel, each with its input channels together.
const void* Ordered(Call call, Tensor weight, bool transposed, int64_t groups);

// x as it is, or without gaps: a vector of floats.
const float* Vector(Call call, Tensor x);

}  // namespace xnnpack

#endif  // XNNPACK_WEIGHTS_H_
