// Windows whose distances are fractions: as many as output_size says, spread over the input.
//
//   const Window w = FractionalWindowOf(r.op(), self, 2, kernel_size, output_size);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming the operator and what does not fit.
#ifndef SWITCHYARD_OPS_NN_FRACTIONAL_H_
#define SWITCHYARD_OPS_NN_FRACTIONAL_H_

#include "switchyard/core/error.h"
#include "switchyard/ops/nn/window.h"

namespace sy {

inline Window FractionalWindowOf(std::string_view op, const TensorBase& self, int dims,
                                 IntSpan kernel_size, IntSpan output_size) {
  Window w = Window::OfAdaptive(op, self, dims, output_size);
  if (kernel_size.size() != static_cast<size_t>(dims)) {
    Fail(ErrorCode::kInvalidArgument, op,
         {"kernel_size must have ", dims, " entries, got ", kernel_size});
  }
  for (int d = 0; d < 3; ++d) {
    w.kernel[d] = d < 3 - dims ? 1 : kernel_size[static_cast<size_t>(d - (3 - dims))];
    w.stride[d] = w.dilation[d] = 1;
    const int64_t in = w.inputs[d], out = w.outputs[d], kernel = w.kernel[d];
    if (kernel < 1 || kernel > in || out > in - kernel + 1) {
      Fail(ErrorCode::kInvalidArgument, op,
           {"output_size ", output_size, " and kernel_size ", kernel_size,
            " must be positive and fit into self of sizes ", self.sizes()});
    }
  }
  return w;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_FRACTIONAL_H_
