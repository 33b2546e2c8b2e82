// Sum of the products of two vectors' elements; complex numbers are not conjugated.
//   self, tensor: [n], same dtype, not bool   →   0-d
// Errors: kInvalidArgument when they are no vectors, lengths or dtypes differ.
// Example: sy::dot(a, b)
// Source: ATen dot.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void DotShape(ShapeContext& r, const TensorBase& self, const TensorBase& tensor) {
  if (self.dim() != 1 || tensor.dim() != 1) {
    r.Fail({"both must be vectors, got sizes ", self.sizes(), " and ", tensor.sizes()});
  }
  RequireSameDType(r, self, tensor, "self", "tensor");
  if (self.numel() != tensor.numel())
    r.Fail({"lengths differ: ", self.numel(), " and ", tensor.numel()});
  r.Output(IntSpan(), self.dtype());
}

}  // namespace

const Operator dot_op{"dot(Tensor self, Tensor tensor) -> Tensor", DotShape, kOut};

}  // namespace sy
