// adjoint and mH by conj, which is a view, and the bodies of t_copy and transpose_copy.

#include "ops/view/copying_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Adjoint(Call, const Tensor& self) { return conj(mT(self)); }
Tensor MatrixH(Call call, const Tensor& self) {
  if (self.dim() != 0 && self.dim() != 2) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must be a matrix, got sizes ", self.sizes()});
  }
  return Adjoint(call, self);
}
const Composite matrix_h_body{"matrix_H", MatrixH};
const Composite mh_body{"mH", Adjoint};
const Composite adjoint_body{"adjoint", Adjoint};

const Composite t_copy_body{"t_copy", Copy<t>};
const Composite transpose_copy_body{"transpose_copy.int", Copy<transpose, int64_t, int64_t>};

}  // namespace
}  // namespace sy
