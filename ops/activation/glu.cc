// The first half of self along `dim`, each element multiplied by the sigmoid of that of the second
// half.
//   self: [.., 2 n, ..], floating   →   [.., n, ..], dtype of self
// Errors: kInvalidArgument for a 0-d tensor and an odd size along dim, kOutOfRange for a dimension
// out of range.
// Example: sy::glu(x, -1)
// Source: ATen glu.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void GluShape(ShapeContext& r, const TensorBase& self, int64_t& dim) {
  RequireDType(r, self, kFloatingTypes);
  if (self.dim() == 0) r.Fail({"self must have a dimension, got a 0-d tensor"});
  dim = r.WrapDim(dim, self);
  const IntSpan sizes = r.Copy(self.sizes());
  if (sizes[dim] % 2 != 0) r.Fail({"the size along dim ", dim, " must be even, got ", sizes});
  const_cast<int64_t*>(sizes.data())[dim] /= 2;
  r.Output(sizes, self.dtype());
}

}  // namespace

const Operator glu_op{"glu(Tensor self, int dim=-1) -> Tensor", GluShape, kOut};

}  // namespace sy
