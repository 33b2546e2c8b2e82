// The table that the host reads, and the one symbol that the object exports.

#include "switchyard/c/plugin.hpp"

#include "device.h"
#include "kernels.h"

namespace {

const SyDeviceDef devices[] = {sy::abi::DeviceOf("skeleton", skeleton::kDevice)};

const SyPlugin plugin =
    sy::abi::MakePlugin("skeleton", "1.0", devices, skeleton::kOperators, skeleton::kKernels);

}  // namespace

SY_PLUGIN(plugin, "skeleton")
