// tensordot and inner by mm of tensors that are turned into matrices.

#include <vector>

#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Tensordot(Call call, const Tensor& self, const Tensor& other, IntSpan dims_self,
                 IntSpan dims_other) {
  if (dims_self.size() != dims_other.size()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"as many dims of both must be given, got ", dims_self, " and ", dims_other});
  }
  if (self.dtype() != other.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"both must have the same dtype, got ", self.dtype(), " and ", other.dtype()});
  }
  // A dimension of size 1 on one side is summed away on the other.
  Tensor a = self, b = other;
  int64_t summed = 1;
  for (size_t i = 0; i < dims_self.size(); ++i) {
    const int64_t da = dims_self[i], db = dims_other[i], na = self.size(da), nb = other.size(db);
    if (nb == 1) {
      a = sum(a, IntSpan(&da, 1), true, a.dtype());
    } else if (na == 1) {
      b = sum(b, IntSpan(&db, 1), true, b.dtype());
    } else if (na != nb) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"dim ", da, " of self has size ", na, ", dim ", db, " of other ", nb});
    } else {
      summed *= na;
    }
  }
  const auto mask = [&](const Tensor& t, IntSpan dims) {
    return dims.empty() ? uint64_t{0} : DimMask(dims, t.dim(), call.op());
  };
  const uint64_t of_a = mask(self, dims_self), of_b = mask(other, dims_other);
  std::vector<int64_t> order_a, order_b(dims_other.size()), sizes;
  int64_t rows = 1, columns = 1;
  for (int64_t d = 0; d < a.dim(); ++d) {
    if ((of_a >> d & 1) != 0) continue;
    order_a.push_back(d);
    sizes.push_back(a.size(d));
    rows *= a.size(d);
  }
  for (size_t i = 0; i < dims_other.size(); ++i) {
    order_a.push_back(WrapDim(dims_self[i], a.dim()));
    order_b[i] = WrapDim(dims_other[i], b.dim());
  }
  for (int64_t d = 0; d < b.dim(); ++d) {
    if ((of_b >> d & 1) != 0) continue;
    order_b.push_back(d);
    sizes.push_back(b.size(d));
    columns *= b.size(d);
  }
  const Tensor left = reshape(permute(a, order_a), {rows, summed}),
               right = reshape(permute(b, order_b), {summed, columns});
  return reshape(mm(left, right), sizes);
}
const Composite tensordot_body{"tensordot", Tensordot};

Tensor Inner(Call call, const Tensor& self, const Tensor& other) {
  if (self.dim() == 0 || other.dim() == 0) return mul(self, other);
  if (self.dtype() != other.dtype()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"both must have the same dtype, got ", self.dtype(), " and ", other.dtype()});
  }
  if (self.size(-1) != other.size(-1)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"the last dimensions must match, got sizes ", self.sizes(), " and ", other.sizes()});
  }
  if (self.dtype() == DType::kBool && self.dim() == 1 && other.dim() == 1)
    return any(logical_and(self, other));
  constexpr int64_t kLast = -1;
  return Tensordot(call, self, other, IntSpan(&kLast, 1), IntSpan(&kLast, 1));
}
const Composite inner_body{"inner", Inner};

}  // namespace
}  // namespace sy
