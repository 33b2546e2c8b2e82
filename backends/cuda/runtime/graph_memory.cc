#include "backends/cuda/runtime/graph_memory.h"

#include <atomic>

#include "backends/cuda/runtime/device_state.h"

namespace sy::cuda {
namespace {

uint64_t NextPool() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

}  // namespace

GraphMemory::GraphMemory() : id_(NextPool()) {}
GraphMemory::~GraphMemory() {
  for (DeviceState* device : devices_) device->memory().ReleasePool(id_);
}

void GraphMemory::UsedOn(DeviceState& device) {
  std::lock_guard lock(mutex_);
  devices_.insert(&device);
}

}  // namespace sy::cuda
