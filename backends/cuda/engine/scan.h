// Sums of what comes before, and lists of the elements that a condition picks (device/scan.h,
// device/compact.h).
//
// Owns: nothing. Threads: any. Queued on the thread's current stream.
#ifndef SWITCHYARD_BACKENDS_CUDA_ENGINE_SCAN_H_
#define SWITCHYARD_BACKENDS_CUDA_ENGINE_SCAN_H_

#include "backends/cuda/device/order_args.h"
#include "backends/cuda/engine/specialised.h"

namespace sy::cuda {

// counts: int32, taken as unsigned, or int64; row-major, n + 1 elements. Each of the first n
// becomes the sum of those before it, the last one the sum of all.
void ScanCounts(Call call, const Tensor& counts, int64_t n);

// Elements 0 … n - 1, of which `condition`, a type of device/compact.h, picks some.
class Picked {
 public:
  // args: what the condition reads; n. dtype: the condition's elements.
  Picked(Call call, const char* condition, DType dtype, const CompactArgs& args);

  // Waits for the device.
  int64_t Count() const;
  // What is done with each element, and with those picked: a type of device/compact.h, of elements
  // of so many bytes. `args` is what was given to the constructor, and what this one needs.
  void ForEach(const char* use, size_t item, CompactArgs args) const;

 private:
  Call call_;
  const char* condition_;
  DType dtype_;
  int64_t tiles_;
  Tensor counts_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_ENGINE_SCAN_H_
