// matrix_exp_backward: the exponential of [[A, G], [0, A]] has its derivative along G in the upper
// right block; of the transposed A it is the gradient.
// Source: R. Mathias, A Chain Rule for Matrix Functions and Applications, SIAM J. Matrix Anal.
// Appl. 17 (1996), theorem 2.1.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor MatrixExpBackward(Call call, const Tensor& self, const Tensor& grad) {
  if (self.dim() < 2 || self.size(-1) != self.size(-2)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"self must be square matrices, got sizes ", self.sizes()});
  }
  if (!SameSizes(self.sizes(), grad.sizes())) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected grad of self's sizes ", self.sizes(), ", got ", grad.sizes()});
  }
  const Tensor a = mH(self);
  const int64_t n = self.size(-1);
  const Tensor upper = cat({a, grad}, -1), lower = cat({zeros_like(a), a}, -1);
  const Tensor blocks = linalg_matrix_exp(cat({upper, lower}, -2));
  return narrow(narrow(blocks, -2, 0, n), -1, n, n);
}
const Composite matrix_exp_backward_body{"matrix_exp_backward", MatrixExpBackward};

}  // namespace
}  // namespace sy
