// The table that the host reads, and the one symbol that the object exports.

#include "switchyard/c/plugin.hpp"

#include <dlfcn.h>

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

// OpenCL's loader reads which drivers there are once, and loses what it has read where it is
// unloaded: it stays, this object goes. Without it there is nothing to pin, and no device.
int32_t Init(const SyHost*, SyError*) noexcept {
  dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NODELETE);
  return SY_OK;
}

const SyDeviceDef devices[] = {sy::abi::DeviceOf(opencl::kDeviceName, opencl::kDeviceFunctions)};
const opencl::KernelList kernels = AllKernels();
const SyPlugin plugin = [] {
  SyPlugin p = sy::abi::MakePlugin("opencl", "1.0", devices, {}, kernels);
  p.init = Init;
  return p;
}();

}  // namespace

SY_PLUGIN(plugin, "opencl")
