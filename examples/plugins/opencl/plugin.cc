// The table that the host reads, and the one symbol that the object exports.

#include "switchyard/c/plugin.hpp"

#include "device.h"
#include "kernels.h"

namespace {

opencl::KernelList AllKernels() {
  opencl::KernelList all;
  opencl::AddCopies(all);
  opencl::AddPointwise(all);
  opencl::AddDivision(all);
  opencl::AddLimits(all);
  opencl::AddReductions(all);
  opencl::AddMatrixProducts(all);
  opencl::AddIndexing(all);
  return all;
}

const SyDeviceDef devices[] = {sy::abi::DeviceOf(opencl::kDeviceName, opencl::kDeviceFunctions)};
const opencl::KernelList kernels = AllKernels();
const SyPlugin plugin = sy::abi::MakePlugin("opencl", "1.0", devices, {}, kernels);

}  // namespace

SY_PLUGIN(plugin, "opencl")
