// The emulated driver's devices and contexts. A context is that of a device; each thread has a
// current one.
//
// Owns: the devices' state, for the process. Threads: one at a time.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_DEVICES_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_DEVICES_H_

#include <cstddef>

#include "backends/cuda/driver/driver.h"

namespace sy::cuda::emulated {

inline constexpr int kDevices = 2;
inline constexpr size_t kTotal = size_t{4} << 30;  // bytes of each

struct DeviceOfOurs {
  size_t used = 0;
  CUresult failed = CUDA_SUCCESS;  // as EmulateFailure has it
  int captures = 0;                // that streams of it take part in
  bool reaches_other = false;
};
inline DeviceOfOurs devices[kDevices];
inline thread_local int current = -1;

int DeviceOf(CUcontext context);

// What every call answers that needs a current device.
CUresult Ready();

// Captures that forbid every thread what might wait for the device, but for those that say that
// they know what they do.
inline int global_captures = 0;
inline bool global_capture_broken = false;
// As Ready, of calls that a capture of that kind forbids.
CUresult ReadyForUnsafe();

// The driver's functions of these.
void AddDevices(DriverTable& t);

}  // namespace sy::cuda::emulated

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_DEVICES_H_
