// Scans along lines: sums, products and extremes of what comes before (device/lines.h).
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
// Errors: as RunLines'.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_SCAN_LINES_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_SCAN_LINES_H_

#include <cstdint>

#include "switchyard/op/kernel.h"

namespace sy::cuda {

enum class LineScan : uint8_t { kSum, kProduct, kMax, kMin, kLogSumExp };
// All tensors have self's sizes. second: where the extremes are; int64.
void ScanLines(Call call, LineScan scan, int64_t dim, const Tensor& self, const Tensor& out,
               const Tensor* second = nullptr);

// out = how many of the elements of a dense bool tensor up to each one are true; out: int64, dense.
void CountTrue(Call call, const Tensor& self, const Tensor& out);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_SCAN_LINES_H_
