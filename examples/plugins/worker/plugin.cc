// The table that the host reads, and the one symbol that the object exports.

#include "switchyard/c/plugin.hpp"

#include "device.h"
#include "kernels.h"
#include "queue.h"

namespace {

// The host has destroyed every stream by now, and each has joined its thread. A plugin with threads
// of its own joins them here: code that goes on running after this is gone.
int32_t Shutdown(SyError* error) noexcept {
  if (worker::Queue::NumAlive() == 0) return SY_OK;
  sy::abi::WriteText(error, "a stream has not been destroyed");
  return SY_E_BUSY;
}

const SyDeviceDef devices[] = {sy::abi::DeviceOf("worker", worker::kDevice)};

const SyPlugin plugin = [] {
  SyPlugin p = sy::abi::MakePlugin("worker", "1.0", devices, worker::kOperators, worker::kKernels);
  p.shutdown = Shutdown;
  return p;
}();

}  // namespace

SY_PLUGIN(plugin, "worker")
