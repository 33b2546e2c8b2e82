// Elements of a tensor that are not 0: what nonzero and operators with masks work on.
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_NOT_ZERO_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_NOT_ZERO_H_

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/scan.h"

namespace sy::cuda {

// The elements of a row-major tensor that are not 0 (device/compact.h).
struct NotZero {
  Tensor flags;
  CompactArgs args{};
  Picked picked;

  // t: row-major.
  NotZero(Call call, const Tensor& t)
      : flags(t), args(ArgsOf(t)), picked(call, "NotZero", t.dtype(), args) {}

 private:
  static CompactArgs ArgsOf(const Tensor& t) {
    CompactArgs args{};
    args.n = t.numel();
    args.flags = t.data();
    return args;
  }
};

// t expanded to `sizes`, in row-major order: t itself where it is that.
Tensor RowMajor(Call call, const Tensor& t, IntSpan sizes);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_INDEX_NOT_ZERO_H_
