// cross by linalg_cross.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Without dim, along the first dimension of 3 elements.
int64_t CrossDim(Call call, const Tensor& self, Optional<int64_t> dim) {
  if (dim) return *dim;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (self.size(d) == 3) return d;
  }
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self has no dimension of 3 elements; its sizes are ", self.sizes()});
}
Tensor Cross(Call call, const Tensor& self, const Tensor& other, Optional<int64_t> dim) {
  return linalg_cross(self, other, CrossDim(call, self, dim));
}
void CrossOut(Call call, const Tensor& self, const Tensor& other, Optional<int64_t> dim,
              const Tensor& out) {
  linalg_cross_out(out, self, other, CrossDim(call, self, dim));
}
const Composite cross_body{"cross", Cross};
const Composite cross_out_body{"cross.out", CrossOut};

}  // namespace
}  // namespace sy
