// renorm by linalg_vector_norm and mul.

#include <initializer_list>
#include <vector>

#include "ops/checks.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Norms of float32 are computed in float64, of 16-bit floats in float32.
// Source: renorm, ATen/native/Normalization.cpp.
Tensor Renorm(Call call, const Tensor& self, const Scalar& p, int64_t dim, const Scalar& maxnorm) {
  const auto fail = [&](std::initializer_list<Piece> pieces) {
    Fail(ErrorCode::kInvalidArgument, call.op(), {Join(pieces)});
  };
  if (p.is_complex() || !(p.To<double>() > 0)) fail({"p must be above 0, got ", p.str()});
  if (maxnorm.is_complex() || maxnorm.To<double>() < 0)
    fail({"maxnorm must not be negative, got ", maxnorm.str()});
  if (self.dim() < 2) fail({"self must have 2 dimensions or more, got sizes ", self.sizes()});
  RequireFloatingOrComplex(call, self);
  dim = WrapDim(dim, self.dim());
  ::std::vector<int64_t> others;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) others.push_back(d);
  }
  const bool half = Contains(kHalfTypes, self.dtype());
  const DType wide = IsComplex(self.dtype()) ? DType::kComplex128
                     : half                  ? DType::kFloat32
                                             : DType::kFloat64;
  const Tensor norm = linalg_vector_norm(self, p, others, true, wide);
  const Tensor scale = mul(reciprocal(add(norm, 1e-7)), maxnorm);
  const Tensor factor = masked_fill(scale, logical_not(gt(norm, maxnorm)), 1);
  return mul(contiguous(self), to(factor, RealType(self.dtype())));
}
const Composite renorm_body{"renorm", Renorm};

}  // namespace
}  // namespace sy
