// contiguous: self where it lies so, else a copy that does.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Contiguous(Call call, const Tensor& self, MemoryFormat format) {
  if (format == MemoryFormat::kPreserve) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"memory_format must say how; preserve_format does not"});
  }
  return self.is_contiguous(format) ? self : clone(self, format);
}
const Composite contiguous_body{"contiguous", Contiguous};

}  // namespace
}  // namespace sy
