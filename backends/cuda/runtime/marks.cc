#include "backends/cuda/runtime/marks.h"

#include <memory>

#include "backends/cuda/runtime/relaxed_capture.h"
#include "backends/cuda/runtime/stream.h"

namespace sy::cuda {
namespace {

struct Mark {
  CUevent event;  // null: nothing to wait for, or the device has failed and nothing runs there
  DeviceState& device;  // of the stream, which keeps the event for the next mark
  bool borrowed;        // the event is a stream's that has gone
};

}  // namespace

void* SetMark(StreamHandle handle) {
  auto& stream = static_cast<CudaStream&>(*handle);
  DeviceState& device = stream.state();
  return stream.WhereverItIs(
      [&](CUstream native) -> void* {
        if (stream.IsCaptured()) return nullptr;  // later, when the graph is done
        const InUse on = device.TryUse();
        const CUevent event = on ? device.TakeEvent() : nullptr;
        if (event != nullptr) Driver().EventRecord(event, native);
        return new Mark{event, device, false};
      },
      [&](CUevent left) -> void* {
        return new Mark{left, device, true};
      });
}

bool ReachedMark(void* handle, bool wait) {
  auto* mark = static_cast<Mark*>(handle);
  if (mark->event != nullptr) {
    const InUse on = mark->device.TryUse();
    const RelaxedCapture relaxed;
    if (on && wait) {
      Driver().EventSynchronize(mark->event);
    } else if (on && Driver().EventQuery(mark->event) == CUDA_ERROR_NOT_READY) {
      return false;
    }
  }
  const std::unique_ptr<Mark> gone(mark);
  if (mark->event != nullptr && !mark->borrowed) mark->device.GiveBack(mark->event);
  return true;
}

}  // namespace sy::cuda
