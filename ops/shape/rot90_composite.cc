// rot90 by flip and transpose_.

#include "ops/shape/checks_composite.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Rot90(Call call, const Tensor& self, int64_t k, IntSpan dims) {
  if (dims.size() != 2)
    Fail(ErrorCode::kInvalidArgument, call.op(), {"dims must be two, got ", dims});
  if (self.dim() < 2) FailRank(call, 2, self);
  const int64_t from = WrapDim(dims[0], self.dim()), to = WrapDim(dims[1], self.dim());
  if (from == to) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"dims must be two different dimensions, got ", dims});
  }
  switch ((k % 4 + 4) % 4) {
    case 1:
      return transpose_(flip(self, {to}), from, to);
    case 2:
      return flip(self, dims);
    case 3:
      return transpose_(flip(self, {from}), from, to);
    default:
      return clone(self, MemoryFormat::kContiguous);
  }
}
const Composite rot90_body{"rot90", Rot90};

}  // namespace
}  // namespace sy
