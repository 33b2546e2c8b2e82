// Taking a device out again: what unloading a plugin needs.
//
//   UnregisterDevice(FindDeviceType("toy"));   // FindBackend gives null from here on
//
// The name keeps its row, and tensors of no bytes may still carry it. The caller sees to it that
// nothing allocated by the backend is alive. A backend of that name may be registered again.
// Owns: nothing. Threads: any.
// Errors: none: a type without a backend stays without.
#ifndef SWITCHYARD_CORE_DEVICE_REMOVAL_H_
#define SWITCHYARD_CORE_DEVICE_REMOVAL_H_

#include "switchyard/core/device.h"

namespace sy {

// From here on the type has no backend and no memory; its row stays. Devices that were never
// registered may be named.
SY_API void UnregisterDevice(DeviceType type);

}  // namespace sy

#endif  // SWITCHYARD_CORE_DEVICE_REMOVAL_H_
