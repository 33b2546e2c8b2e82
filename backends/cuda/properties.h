// What a cuda device is.
//
//   cuda::GetProperties(0).name == "NVIDIA H200"
//
// Owns: nothing. Threads: any. Errors: kUnavailable where there is no such device.
#ifndef SWITCHYARD_BACKENDS_CUDA_PROPERTIES_H_
#define SWITCHYARD_BACKENDS_CUDA_PROPERTIES_H_

#include <cstddef>
#include <string>

#include "switchyard/core/macros.h"

namespace sy::cuda {

// Of one device, asked of the driver once.
struct Properties {
  std::string name;
  size_t total_bytes;
  int major, minor;  // compute capability
  int multiprocessors;
  int max_threads;       // of a multiprocessor
  int max_shared_bytes;  // of a block, without asking for more
};

// device_index: 0 … DeviceCount - 1. Lives for the process.
SY_API const Properties& GetProperties(int device_index);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PROPERTIES_H_
