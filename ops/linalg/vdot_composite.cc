// vdot and linalg_vecdot by dot, or by products and their sums.

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Vdot(Call, const Tensor& self, const Tensor& other) {
  return dot(IsComplex(self.dtype()) ? conj_physical(self) : self, other);
}
const Composite vdot_body{"vdot", Vdot};

Tensor Vecdot(Call call, const Tensor& x, const Tensor& y, int64_t dim) {
  for (const Tensor* t : {&x, &y}) {
    if (IsFloating(t->dtype()) || IsComplex(t->dtype())) continue;
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"both must be floating or complex, got ", t->dtype()});
  }
  if (x.dtype() != y.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"both must have the same dtype, got ", x.dtype(), " and ", y.dtype()});
  }
  const Tensor left = IsComplex(x.dtype()) ? conj_physical(x) : x;
  if (x.dim() == 1 && y.dim() == 1) return dot(left, y);
  return sum(mul(left, y), IntSpan(&dim, 1));
}
const Composite vecdot_body{"linalg_vecdot", Vecdot};

}  // namespace
}  // namespace sy
