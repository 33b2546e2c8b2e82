// cuDNN's functions, opened when they are first needed: those of graphs ("the backend API").
//
//   const DnnTable* lib = FindDnn();       // null: there is none
//
// Owns: a handle for each device, for the process.
// Threads: any; one at a time uses a device's handle.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_CUDNN_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_CUDNN_H_

#include <mutex>
#include <type_traits>

#include "backends/cuda/driver/cudnn_api.h"
#include "backends/cuda/driver/library.h"
#include "backends/cuda/runtime/device_state.h"

namespace sy::cuda {

struct DnnTable {
#define SY_CUDNN_MEMBER(name, type) std::add_pointer_t<type> name = nullptr;
  SY_CUDNN_FUNCTIONS(SY_CUDNN_MEMBER)
#undef SY_CUDNN_MEMBER
};
// The library's functions; those that it lacks are its problem.
DnnTable DnnTableOf(Library& library);
// Instead of the library: what tests put there, before it is first asked for.
void UseDnn(const DnnTable& table);

// Null where it cannot be opened, which is logged once, with the reason, or where
// SWITCHYARD_CUDA_LIBRARIES or SWITCHYARD_CUDA_CUDNN is 0.
const DnnTable* FindDnn();

struct DnnHandle {
  std::mutex mutex;  // held while the handle is used
  cudnnHandle_t handle = nullptr;
  bool failed = false;  // to start on the device, which is logged once
};
// The device is the current one, and the library is there.
DnnHandle& DnnHandleOf(const DeviceState& device);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_CUDNN_H_
