// What second names of convolution, forward and backward, do with their weights.
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming the operator.
#ifndef SWITCHYARD_OPS_NN_SLOW_CONV_COMPOSITE_H_
#define SWITCHYARD_OPS_NN_SLOW_CONV_COMPOSITE_H_

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {

// weight with its kernels, of kernel_size, in the last `dims` dimensions; in two dimensions it may
// be a matrix, with self's channels.
inline Tensor WithKernels(Call call, const Tensor& weight, const Tensor& self, IntSpan kernel_size,
                          int dims) {
  const auto count = static_cast<size_t>(dims);
  if (kernel_size.size() != count) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"kernel_size must have ", dims, " entries, got ", kernel_size});
  }
  if (dims == 2 && weight.dim() == 2 && self.dim() == 4) {
    const int64_t channels = self.sizes()[1];
    int64_t columns = 0;
    if (kernel_size[0] > 0 && kernel_size[1] > 0 &&
        !__builtin_mul_overflow(kernel_size[0], kernel_size[1], &columns) &&
        !__builtin_mul_overflow(columns, channels, &columns) && columns == weight.sizes()[1])
      return reshape(weight, {weight.sizes()[0], channels, kernel_size[0], kernel_size[1]});
  }
  if (weight.dim() != dims + 2 || !SameSizes(weight.sizes().subspan(2), kernel_size)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"weight must have ", dims + 2, " dimensions, the last of kernel_size ", kernel_size,
          ", got sizes ", weight.sizes()});
  }
  return weight;
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_SLOW_CONV_COMPOSITE_H_
