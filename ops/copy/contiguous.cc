// self if it lies in memory as `memory_format` says, else a copy that does.
//   self: any sizes   →   like self
// Errors: kInvalidArgument for the preserve format, or a channels-last one with another rank than 4
// (5 for 3d).
// Example: sy::contiguous(sy::t(x))
// Source: ATen contiguous.
#include "switchyard/ops/shape_functions.h"

namespace sy {

const Operator contiguous_op{
    "contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)", KeyRule::kFirst};

}  // namespace sy
