// Logarithm of the sum of the exponentials of all elements along `dim` up to each of them, without
// overflow on the way.
//   self: floating or complex   →   like self, row-major
// Errors: kOutOfRange for a dimension out of range; kNotImplemented for integers and bool.
// Example: sy::logcumsumexp(x, 0)
// Source: ATen logcumsumexp.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LogcumsumexpShape(ShapeContext& r, const TensorBase& self, int64_t& dim) {
  dim = r.WrapDim(dim, self);
  RequireDType(r, self, kFloatingTypes | kComplexTypes);
  r.Output(self.sizes(), self.dtype());
}

}  // namespace

const Operator logcumsumexp_op{"logcumsumexp(Tensor self, int dim) -> Tensor", LogcumsumexpShape,
                               kOut};

}  // namespace sy
