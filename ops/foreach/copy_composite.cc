// _foreach_copy, _foreach_zero: copy_ and zero_, tensor by tensor.

#include "ops/foreach/foreach_composite.h"

namespace sy {
namespace {

Tensor Copied(const Tensor& self, const Tensor& src, bool non_blocking) {
  return copy_(empty_like(self), src, non_blocking);
}
SY_FOREACH_BODIES(copy, "_foreach_copy", "", ".out", Copied, copy_, TensorList, bool)
SY_FOREACH_BODIES(zero, "_foreach_zero", "", ".out", zeros_like, zero_)

}  // namespace
}  // namespace sy
