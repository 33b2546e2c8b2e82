// Matrix products of two batches of matrices. Of 16-bit floats it is float32 where out_dtype says
// so.
//   self: [b, m, k], mat2: [b, k, n], same dtype, not bool   →   [b, m, n]; dtype of mat2 where
//   they differ, which they may without products
// Errors: kInvalidArgument when they are not 3-d, batches, inner dimensions or dtypes differ.
// Example: sy::bmm(a, b)
// Source: ATen bmm.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void BmmShape(ShapeContext& r, const TensorBase& self, const TensorBase& mat2) {
  if (self.dim() != 3) r.Fail({"self must be a 3-d tensor, got sizes ", self.sizes()});
  if (mat2.dim() != 3) r.Fail({"mat2 must be a 3-d tensor, got sizes ", mat2.sizes()});
  if (self.sizes()[0] != mat2.sizes()[0]) {
    r.Fail({"batches differ: self is ", self.sizes(), ", mat2 is ", mat2.sizes()});
  }
  if (self.sizes()[2] != mat2.sizes()[1]) {
    r.Fail({"inner dimensions differ: self is ", self.sizes(), ", mat2 is ", mat2.sizes()});
  }
  // Without products ATen does not look at dtypes.
  if (self.numel() != 0 && mat2.numel() != 0) RequireSameDType(r, self, mat2, "self", "mat2");
  r.Output({self.sizes()[0], self.sizes()[1], mat2.sizes()[2]}, mat2.dtype());
}

}  // namespace

const Operator bmm_op{"bmm(Tensor self, Tensor mat2) -> Tensor", BmmShape, kOut};
const Operator bmm_dtype_op{"bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
                            KeyRule::kPromote, kOut};

}  // namespace sy
