#include "switchyard/ops/nn/fractional.h"

#include "switchyard/core/error.h"

namespace sy {

Window FractionalWindowOf(std::string_view op, const TensorBase& self, int dims,
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
