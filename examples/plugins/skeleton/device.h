// The device of this plugin: its functions, for the table in plugin.cc.
#ifndef SKELETON_DEVICE_H_
#define SKELETON_DEVICE_H_

#include "switchyard/c/plugin.h"

namespace skeleton {

extern const SyDeviceFunctions kDevice;

}  // namespace skeleton

#endif  // SKELETON_DEVICE_H_
