// Cross products of 3-element vectors along `dim`.
//   self, other: as many dimensions, sizes that broadcast, 3 along dim; same dtype, not bool   →
//   common sizes
// Errors: kInvalidArgument when ranks or dtypes differ or dim does not have 3 elements, kOutOfRange
// for a dim out of range.
// Example: sy::linalg_cross(a, b)
// Source: ATen linalg_cross.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void CrossShape(ShapeContext& r, const TensorBase& self, const TensorBase& other, int64_t& dim) {
  if (self.dim() != other.dim()) {
    r.Fail({"both must have as many dimensions, got sizes ", self.sizes(), " and ", other.sizes()});
  }
  dim = r.WrapDim(dim, self);
  if (self.dim() == 0 || self.sizes()[dim] != 3 || other.sizes()[dim] != 3) {
    r.Fail(
        {"dim ", dim, " must have 3 elements, got sizes ", self.sizes(), " and ", other.sizes()});
  }
  RequireSameDType(r, self, other, "self", "other");
  int64_t* sizes = r.Ints(self.dim());
  const int rank = Broadcast(self.sizes(), other.sizes(), sizes, r.op());
  r.Output(IntSpan(sizes, static_cast<size_t>(rank)), self.dtype());
}

}  // namespace

const Operator linalg_cross_op{"linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
                               CrossShape, kOut};

}  // namespace sy
