// What scans are launched with.
//
// The host, NVRTC and tests compile this header.
// Owns: nothing; addresses are the device's. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_LINE_ARGS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_LINE_ARGS_H_

#include "switchyard/backends/cuda/device/args.h"

namespace sy::cuda {

// chunk: elements of a line that a block scans; totals: the sum of each chunk but a line's last.
struct ScanLineArgs : LineArgs {
  long long chunk;
  void* totals;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_LINE_ARGS_H_
