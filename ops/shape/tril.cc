// self with zeros above (tril) or below (triu) a diagonal of its matrices; diagonal > 0 is above
// the main one, < 0 below.
//   self: [..., m, n]   →   sizes of self
// Errors: kInvalidArgument for fewer than 2 dimensions.
// Example: sy::tril(sy::ones({3, 3}))
// Source: ATen tril, triu.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void TriangleShape(ShapeContext& r, const TensorBase& self, int64_t /*diagonal*/) {
  if (self.dim() < 2) r.Fail({"self must have at least 2 dimensions, got sizes ", self.sizes()});
  r.Output(self.sizes(), self.dtype()).pointwise = true;
  r.AllowSelfOverlap();  // as ATen, which writes through a copy
}

}  // namespace

const Operator tril_op{"tril(Tensor self, SymInt diagonal=0) -> Tensor", TriangleShape,
                       kInPlace | kOut};
const Operator triu_op{"triu(Tensor self, SymInt diagonal=0) -> Tensor", TriangleShape,
                       kInPlace | kOut};

}  // namespace sy
