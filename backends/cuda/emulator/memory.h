// The emulated devices' memory, out of the reach of the host and of the other devices but while a
// device works.
//
// Owns: the memory. Threads: one at a time.
#ifndef SWITCHYARD_BACKENDS_CUDA_EMULATOR_MEMORY_H_
#define SWITCHYARD_BACKENDS_CUDA_EMULATOR_MEMORY_H_

#include <cstddef>

#include "backends/cuda/driver/driver.h"

namespace sy::cuda::emulated {

inline constexpr int kAllDevices = -1;

// While it lives, memory can be reached: of `device`, or, for copies, which know all addresses, of
// kAllDevices. looks_behind: what lies behind it can be read, too.
class DeviceWorks {
 public:
  DeviceWorks(int device, bool looks_behind);
  ~DeviceWorks();
  DeviceWorks(const DeviceWorks&) = delete;
  DeviceWorks& operator=(const DeviceWorks&) = delete;

 private:
  void Protect(int mode, int mode_behind) const;
  int device_;
  bool looks_behind_;
};

// Whether these bytes are memory of `device`.
bool LiesOn(int device, const void* p, size_t bytes);
// Whether the driver must be done with host memory when it returns: it is not pinned.
bool IsPageable(CUdeviceptr address);

// The driver's functions of these.
void AddMemory(DriverTable& t);

}  // namespace sy::cuda::emulated

#endif  // SWITCHYARD_BACKENDS_CUDA_EMULATOR_MEMORY_H_
