// The device of this plugin: its functions, for the table in plugin.cc.
#ifndef WORKER_DEVICE_H_
#define WORKER_DEVICE_H_

#include "switchyard/c/plugin.h"

namespace worker {

extern const SyDeviceFunctions kDevice;

}  // namespace worker

#endif  // WORKER_DEVICE_H_
