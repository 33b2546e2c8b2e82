// norm, dist and norm_except_dim by linalg_vector_norm.

#include <optional>
#include <vector>

#include "ops/checks.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor NormAll(Call, const Tensor& self, const Scalar& p) { return linalg_vector_norm(self, p); }
Scalar OrTwo(const ::std::optional<Scalar>& p) { return p ? *p : Scalar(2); }
Tensor NormDim(Call, const Tensor& self, const ::std::optional<Scalar>& p, IntSpan dim,
               bool keepdim) {
  return linalg_vector_norm(self, OrTwo(p), dim, keepdim);
}
Tensor NormDType(Call, const Tensor& self, const ::std::optional<Scalar>& p, DType dtype) {
  return linalg_vector_norm(self, OrTwo(p), ::std::nullopt, false, dtype);
}
Tensor NormDimDType(Call, const Tensor& self, const ::std::optional<Scalar>& p, IntSpan dim,
                    bool keepdim, DType dtype) {
  return linalg_vector_norm(self, OrTwo(p), dim, keepdim, dtype);
}
Tensor Dist(Call, const Tensor& self, const Tensor& other, const Scalar& p) {
  return linalg_vector_norm(sub(self, other), p);
}
const Composite norm_all_body{"norm.Scalar", NormAll};
const Composite norm_dim_body{"norm.ScalarOpt_dim", NormDim};
const Composite norm_dtype_body{"norm.ScalarOpt_dtype", NormDType};
const Composite norm_dim_dtype_body{"norm.ScalarOpt_dim_dtype", NormDimDType};
const Composite dist_body{"dist", Dist};
Tensor NormExceptDim(Call call, const Tensor& v, int64_t pow, int64_t dim) {
  if (dim == -1) return linalg_vector_norm(v, pow);
  const int64_t kept = WrapDimOf(call, dim, v);
  // A last dimension of 1, so that there is always one to reduce.
  std::vector<int64_t> reduced;
  for (int64_t d = 0; d <= v.dim(); ++d) {
    if (d != kept) reduced.push_back(d);
  }
  return squeeze(linalg_vector_norm(unsqueeze(v, -1), pow, reduced, true), -1);
}
const Composite norm_except_dim_body{"norm_except_dim", NormExceptDim};

}  // namespace
}  // namespace sy
