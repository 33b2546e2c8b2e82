// Product of a matrix and a vector.
//   self: [m, k], vec: [k], same dtype, not bool   →   [m]; k may be 0
// Errors: kInvalidArgument when they are no matrix and vector, inner dimensions or dtypes differ.
// Example: sy::mv(a, x)
// Source: ATen mv.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MvShape(ShapeContext& r, const TensorBase& self, const TensorBase& vec) {
  if (self.dim() != 2) r.Fail({"self must be a matrix, got sizes ", self.sizes()});
  if (vec.dim() != 1) r.Fail({"vec must be a vector, got sizes ", vec.sizes()});
  // Without products ATen does not look at dtypes.
  if (self.numel() != 0) RequireSameDType(r, self, vec, "self", "vec");
  if (self.sizes()[1] != vec.sizes()[0]) {
    r.Fail({"inner dimensions differ: self is ", self.sizes(), ", vec is ", vec.sizes()});
  }
  r.Output({self.sizes()[0]}, vec.dtype());
  if (vec.numel() == 0) r.AllowSelfOverlap();  // zeros everywhere
}

}  // namespace

const Operator mv_op{"mv(Tensor self, Tensor vec) -> Tensor", MvShape, kOut};

}  // namespace sy
