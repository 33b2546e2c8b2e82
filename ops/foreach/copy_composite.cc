// _foreach_copy, _foreach_zero: copy_ and zero_, tensor by tensor.

#include "ops/foreach/foreach_composite.h"
#include "switchyard/core/overlap.h"

namespace sy {
namespace {

using lists::kNoKernel;

// A tensor that lies as self does, with gaps between its elements too; elements that share a place
// get places of their own.
Tensor Copied(const Tensor& self, const Tensor& src, bool non_blocking) {
  const Tensor made =
      SelfOverlaps(self) ? empty_like(self) : new_empty_strided(self, self.sizes(), self.strides());
  return copy_(made, src, non_blocking);
}
SY_FOREACH_BODIES(copy, "_foreach_copy", "", ".out", Copied, copy_, kNoKernel, TensorList, bool)
SY_FOREACH_BODIES(zero, "_foreach_zero", "", ".out", zeros_like, zero_, kNoKernel)

}  // namespace
}  // namespace sy
