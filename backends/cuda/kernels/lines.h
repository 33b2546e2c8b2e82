// Runs kernels along lines: for each line of elements along a dimension, one thread or a block.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: kNotImplemented for more than kMaxDims dimensions that cannot be merged.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_LINES_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_LINES_H_

#include <string>

#include "backends/cuda/kernels/launch.h"

namespace sy::cuda {

// body: a function of device/`header`.h with its template arguments, without the last one, which is
// the number of lanes. key: its last word is this function's. All tensors have self's sizes;
// `second` is one more, to be read or written. one_lane: the function takes a thread a line.
struct LineFunction {
  std::string body;
  KernelKey key;
  const char* header = "lines";
  bool one_lane = false;
};
void RunLines(Call call, const LineFunction& function, int64_t dim, const Tensor& self,
              const Tensor& out, const Tensor* second = nullptr);

// out = how many of the elements of a dense bool tensor up to each one are true; out: int64, dense.
void CountTrue(Call call, const Tensor& self, const Tensor& out);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_LINES_H_
