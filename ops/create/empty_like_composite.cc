// empty_like into a tensor that is given, which takes self's sizes.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void EmptyLikeOut(Call, const Tensor& self, Optional<MemoryFormat> format, const Tensor& out) {
  resize_(out, self.sizes(), format);
}
const Composite empty_like_out_body{"empty_like.out", EmptyLikeOut};

}  // namespace
}  // namespace sy
