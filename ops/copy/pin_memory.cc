// Host memory that a device copies from and to while the host goes on: whether self lies in such,
// self there (itself where it does already), and a copy there.
//   self: on cpu; device: whose, the current accelerator or the first that pins any otherwise
// Errors: kInvalidArgument for a tensor that is not on cpu, kNotImplemented when the device does
// not offer pinned memory, or none does.
// Example: sy::pin_memory(x)
// Source: ATen is_pinned, pin_memory, _pin_memory.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator is_pinned_op{"is_pinned(Tensor self, Device? device=None) -> bool", KeyRule::kFirst};
const Operator pin_memory_op{"pin_memory(Tensor(a) self, Device? device=None) -> Tensor(a)",
                             KeyRule::kFirst};
const Operator pinned_copy_op{"_pin_memory(Tensor self, Device? device=None) -> Tensor",
                              KeyRule::kFirst, kOut};

}  // namespace sy
