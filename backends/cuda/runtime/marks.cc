#include "backends/cuda/runtime/marks.h"

#include <memory>

#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
namespace {

struct SetMark {
  CUevent event;        // null: the device has failed, and nothing runs there any more
  DeviceState& device;  // of the stream, which keeps the event for the next mark
};

}  // namespace

void* MarkedArena::Mark(StreamHandle handle) {
  auto& stream = static_cast<CudaStream&>(*handle);
  if (stream.capture() != nullptr) return nullptr;  // later, when the graph is done
  DeviceState& device = stream.state();
  const InUse on = device.TryUse();
  const CUevent event = on ? device.TakeEvent() : nullptr;
  if (event != nullptr) Driver().EventRecord(event, stream.handle());
  return new SetMark{event, device};
}

bool MarkedArena::Reached(void* handle, bool wait) {
  auto* mark = static_cast<SetMark*>(handle);
  if (mark->event != nullptr) {
    const InUse on = mark->device.TryUse();
    if (on && wait) {
      Driver().EventSynchronize(mark->event);
    } else if (on && Driver().EventQuery(mark->event) == CUDA_ERROR_NOT_READY) {
      return false;
    }
  }
  const std::unique_ptr<SetMark> gone(mark);
  if (mark->event != nullptr) mark->device.GiveBack(mark->event);
  return true;
}

}  // namespace sy::cuda
