// Pinned memory: whether a tensor lies in it, and copies that do.

#include "switchyard/core/accelerator.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

bool IsPinnedBy(Call, const Tensor& self, Optional<Device> device) {
  return device ? IsPinned(self, (*device).type) : IsPinned(self);
}
Tensor CopyPinned(Call call, const Tensor& self, Optional<Device> device) {
  try {
    return PinnedCopy(self, device ? *device : PinningDevice());
  } catch (const Error& e) {
    Fail(e.code(), call.op(), {e.reason()});
  }
}
Tensor PinMemoryOf(Call call, const Tensor& self, Optional<Device> device) {
  return IsPinnedBy(call, self, device) ? self : CopyPinned(call, self, device);
}
const Composite is_pinned_body{"is_pinned", IsPinnedBy};
const Composite pinned_copy_body{"_pin_memory", CopyPinned};
const Composite pin_memory_body{"pin_memory", PinMemoryOf};

}  // namespace
}  // namespace sy
