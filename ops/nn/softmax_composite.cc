// _safe_softmax by softmax, of rows that may be masked as a whole.

#include <limits>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor SafeSoftmax(Call, const Tensor& self, int64_t dim, Optional<DType> dtype) {
  const Tensor out = softmax(self, dim, dtype);
  if (self.dim() == 0 || self.numel() == 0) return out;
  const Tensor masked = all(eq(self, -std::numeric_limits<double>::infinity()), dim, true);
  return masked_fill(out, masked, 0);
}
const Composite safe_softmax_body{"_safe_softmax", SafeSoftmax};

}  // namespace
}  // namespace sy
