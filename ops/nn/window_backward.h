// What the backward operators of windows are given, checked.
//
//   RequirePooled(r.op(), "grad_output", grad_output, self, w);
//
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument naming the operator and what does not fit.
#ifndef SWITCHYARD_OPS_NN_WINDOW_BACKWARD_H_
#define SWITCHYARD_OPS_NN_WINDOW_BACKWARD_H_

#include <vector>

#include "switchyard/ops/nn/window.h"

namespace sy {

#pragma GCC visibility push(default)

// The sizes of self with `last` in the last dimensions' place.
std::vector<int64_t> WithLastSizes(const TensorBase& self, IntSpan last);

// t has one element for each of the windows on self.
void RequirePooled(std::string_view op, std::string_view name, const TensorBase& t,
                   const TensorBase& self, const Window& w);

// The windows of an adaptive pool of self, which gave something like grad_output.
Window AdaptiveWindowOf(std::string_view op, const TensorBase& grad_output, const TensorBase& self,
                        int dims);

// Whether what average pools of 16-bit floats pass back is rounded after each operation: ATen's is
// but for channels last. Source: cpu_avg_pool_backward, cpu_adaptive_avg_pool_backward and their
// twins in ATen/native.
bool RoundsShares(const TensorBase& self, int dims);

#pragma GCC visibility pop

}  // namespace sy

#endif  // SWITCHYARD_OPS_NN_WINDOW_BACKWARD_H_
