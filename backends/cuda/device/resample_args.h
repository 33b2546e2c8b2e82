// What kernels that pad and resample images are launched with: row-major [planes, inputs, inner]
// and [planes, outputs, inner].
//
// The host and NVRTC compile this header.
// Owns: nothing; addresses are the device's. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_RESAMPLE_ARGS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_RESAMPLE_ARGS_H_

#include "switchyard/backends/cuda/device/args.h"
#include "switchyard/ops/formulas/resample.h"

namespace sy::cuda {

// Backward: in is of the outputs' sizes, out of the inputs'.
struct PadArgs {
  long long planes, inner;
  f::PadAxis axis[3];
  const void* in;
  void* out;
};

// The taps of every output along each dimension: first input and end, and `most` weights.
struct TapArgs {
  f::ResampleAxis axis[3];
  long long* spans[3];
  void* weights[3];
};

// Backward: as PadArgs'. shifts: of 8-bit images' weights along the last two dimensions.
struct ResampleArgs {
  long long planes, inner;
  TapArgs taps;
  const void* in;
  void* out;
  int shifts[2];
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_RESAMPLE_ARGS_H_
