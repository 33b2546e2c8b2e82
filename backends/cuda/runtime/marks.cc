#include "backends/cuda/runtime/marks.h"

#include <memory>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
namespace {

struct SetMark {
  CUevent event;
  DeviceState& device;  // of the stream, which keeps the event for the next mark
};

}  // namespace

void* MarkedArena::Mark(StreamHandle handle) {
  auto& stream = static_cast<CudaStream&>(*handle);
  if (stream.capture() != nullptr) return nullptr;  // later, when the graph is done
  DeviceState& device = stream.state();
  device.Use();
  const CUevent event = device.TakeEvent();
  Driver().EventRecord(event, stream.handle());  // fails where the device has; then all is done
  return new SetMark{event, device};
}

bool MarkedArena::Reached(void* handle, bool wait) {
  auto* mark = static_cast<SetMark*>(handle);
  mark->device.Use();
  if (wait) {
    Driver().EventSynchronize(mark->event);
  } else if (Driver().EventQuery(mark->event) == CUDA_ERROR_NOT_READY) {
    return false;
  }
  const std::unique_ptr<SetMark> gone(mark);
  mark->device.GiveBack(mark->event);
  return true;
}

}  // namespace sy::cuda
