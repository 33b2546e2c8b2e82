// Windows whose distances are fractions: as many as output_size says, spread over the input.
//
//   const Window w = FractionalWindowOf(r.op(), self, 2, kernel_size, output_size);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming the operator and what does not fit.
#ifndef SWITCHYARD_OPS_NN_FRACTIONAL_H_
#define SWITCHYARD_OPS_NN_FRACTIONAL_H_

#include "switchyard/ops/nn/window.h"

namespace sy {

#pragma GCC visibility push(default)

// self: [.., planes] of `dims` dimensions; kernel_size, output_size: as many entries, the kernel no
// larger than the plane, and room for so many places of it. Strides and dilations are 1: where a
// window begins is drawn, by samples.
Window FractionalWindowOf(std::string_view op, const TensorBase& self, int dims,
                          IntSpan kernel_size, IntSpan output_size);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_FRACTIONAL_H_
