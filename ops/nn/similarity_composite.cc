// Distances and cosines by norms.
// Source: ATen/native/Distance.cpp.

#include <algorithm>

#include "switchyard/core/promotion.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Distance(Call, const Tensor& x1, const Tensor& x2, double p, double eps, bool keepdim) {
  const int64_t dim = ::std::max(x1.dim(), x2.dim()) - 1;
  return norm(add(sub(x1, x2), eps), Scalar(p), IntSpan(&dim, 1), keepdim);
}

Tensor CosineSimilarity(Call call, const Tensor& x1, const Tensor& x2, int64_t dim, double eps) {
  const DType common = ResultType(x1, x2);
  if (!Contains(kFloatingTypes, common)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"expected a common floating dtype, got ", x1.dtype(), " and ", x2.dtype()});
  }
  if (!(eps >= 0))
    Fail(ErrorCode::kInvalidArgument, call.op(), {"eps must not be negative, got ", eps});
  int64_t sizes[kMaxRank];
  const int rank = Broadcast(x1.sizes(), x2.sizes(), sizes, call.op());
  const IntSpan both(sizes, static_cast<size_t>(rank));
  const auto unit = [&](const Tensor& x) {
    const Tensor t = expand(to(x, common), both);
    return div(t, clamp_min(linalg_vector_norm(t, 2, IntSpan(&dim, 1), true), eps));
  };
  return sum(mul(unit(x1), unit(x2)), IntSpan(&dim, 1));
}
const Composite distance_body{"pairwise_distance", Distance};
const Composite similarity_body{"cosine_similarity", CosineSimilarity};

}  // namespace
}  // namespace sy
