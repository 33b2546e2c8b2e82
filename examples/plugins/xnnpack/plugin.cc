// The table that the host reads, and the one symbol that the object exports.

#include <dlfcn.h>

#include "device.h"
#include "kernels.h"

namespace {

xnnpack::OperatorList all_operators;

xnnpack::KernelList AllKernels() {
  xnnpack::KernelList all;
  xnnpack::AddCopies(all);
  xnnpack::AddUnary(all);
  xnnpack::AddBinary(all);
  xnnpack::AddSoftmax(all);
  xnnpack::AddConvolution(all);
  xnnpack::AddPooling(all);
  xnnpack::AddLinear(all);
  xnnpack::AddImages(all);
  xnnpack::AddQuantization(all, all_operators);
  xnnpack::AddQuantizedProducts(all, all_operators);
  return all;
}

int32_t Init(const SyHost*, SyError* error) noexcept {
  return sy::abi::Guard(error, [] {
    // What it and libcpuinfo allocate once is lost where they are unloaded: they stay, this object
    // goes.
    if (dlopen("libXNNPACK.so.0", RTLD_NOW | RTLD_NODELETE) == nullptr)
      throw sy::abi::Error(SY_E_UNSUPPORTED, "libXNNPACK.so.0 is not there");
    xnnpack::Created(xnn_initialize(nullptr));
  });
}

const SyDeviceDef devices[] = {sy::abi::DeviceOf(xnnpack::kDeviceName, xnnpack::kDeviceFunctions)};
const xnnpack::KernelList kernels = AllKernels();
const SyPlugin plugin = [] {
  SyPlugin p = sy::abi::MakePlugin("xnnpack", "1.0", devices, all_operators, kernels);
  p.requires_minor = 3;  // rules, and kept state
  p.init = Init;
  return p;
}();

}  // namespace

SY_PLUGIN(plugin, "xnnpack")
