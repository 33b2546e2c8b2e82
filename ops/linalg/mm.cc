// Matrix product. Of 16-bit floats it is float32 where out_dtype says so.
//   self: [m, k], mat2: [k, n], same dtype, not bool   →   [m, n]; k may be 0
// Errors: kInvalidArgument when they are no matrices, inner dimensions or dtypes differ.
// Example: sy::mm(a, b)
// Source: ATen mm.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MmShape(ShapeContext& r, const TensorBase& self, const TensorBase& mat2) {
  if (self.dim() != 2) r.Fail({"self must be a matrix, got sizes ", self.sizes()});
  if (mat2.dim() != 2) r.Fail({"mat2 must be a matrix, got sizes ", mat2.sizes()});
  RequireSameDType(r, self, mat2, "self", "mat2");
  if (self.sizes()[1] != mat2.sizes()[0]) {
    r.Fail({"inner dimensions differ: self is ", self.sizes(), ", mat2 is ", mat2.sizes()});
  }
  r.Output({self.sizes()[0], mat2.sizes()[1]}, self.dtype());
}

}  // namespace

const Operator mm_op{"mm(Tensor self, Tensor mat2) -> Tensor", MmShape, kOut};
const Operator mm_dtype_op{"mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
                           KeyRule::kPromote, kOut};

}  // namespace sy
