// The kernels of group resample that are written once for all backends.
//
//   const ResampleKernels<Resampler> kernels;
//
// Resampler is what a backend computes with: kDevice, Pad, PadBackward, Gather, Resample,
// ResampleBytes, ResampleBackward.
// Owns: their registrations. Threads: constructed before main.
#ifndef SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_H_
#define SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_H_

#include "switchyard/backends/common/kernels/resample/padding.h"
#include "switchyard/backends/common/kernels/resample/upsample.h"

namespace sy {

template <class E>
struct ResampleKernels {
  PaddingKernels<E> padding;
  UpsampleKernels<E> upsample;
};

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_KERNELS_RESAMPLE_H_
