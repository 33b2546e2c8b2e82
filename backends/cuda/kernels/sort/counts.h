// Counts of numbers: what bincount and histograms share (device/histogram.h).
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_COUNTS_H_
#define SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_COUNTS_H_

#include <utility>

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/specialised.h"
#include "switchyard/core/scalar.h"

namespace sy::cuda {

Specialised HistogramKernel(const char* function, DType d);
// n zeros.
Tensor Zeros(Call call, int64_t n, DType d, Device device);
// int64 counts of n numbers, x.
Tensor Counted(Call call, const char* function, DType d, HistogramArgs& args, Device device);
// The least and the greatest of t, which has elements. Waits for the device.
std::pair<Scalar, Scalar> ExtremesOf(Call call, const Tensor& t);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_KERNELS_SORT_COUNTS_H_
