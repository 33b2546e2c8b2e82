// A device's memory as the driver has it.
//
// Owns: nothing. Threads: any. Errors: kUnavailable where the device has failed.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_GPU_ARENA_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_GPU_ARENA_H_

#include <memory>

#include "backends/cuda/runtime/caching_allocator.h"

namespace sy::cuda {

class DeviceState;

// device: borrowed, and may still be in the making.
std::unique_ptr<Arena> NewGpuArena(DeviceState& device);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_GPU_ARENA_H_
