// Numbers at equal distances.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_RANGE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_RANGE_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

template <class T, bool kReal>
SY_FN void Range(const RangeArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.n) return;
  if constexpr (kReal) {
    const double x = args.real_start + args.real_step * static_cast<double>(i);
    static_cast<T*>(args.out)[i] = Convert<T>(x);
  } else {
    const UInt64 x =
        static_cast<UInt64>(args.start) + static_cast<UInt64>(args.step) * static_cast<UInt64>(i);
    static_cast<T*>(args.out)[i] = Convert<T>(static_cast<Int64>(x));
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_RANGE_H_
