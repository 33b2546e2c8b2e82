// Gradients of norms (Σ |x|^p)^(1/p), and of what is brought below one.
#include <cmath>
#include <cstdint>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/gradients/reduced.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// g and norm with the reduced dims as 1. Nothing passes where the norm is 0; the largest share
// theirs. The order of the operations is ATen's, which 16-bit numbers show.
Tensor NormGrad(const Tensor& g, const Tensor& x, double p, const Tensor& norm, IntSpan dims) {
  if (p == 0) return zeros_like(x);
  if (p == 1) return mul(sgn(x), g);
  if (p == 2) return mul(g, masked_fill(div(x, norm), eq(norm, 0), 0));
  const Tensor size = abs(x);
  if (std::isinf(p)) {
    return mul(sgn(x), Shared(g, logical_or(eq(size, norm), isnan(size)), dims));
  }
  if (p < 1) {
    const Tensor slope = mul(sgn(x), masked_fill(pow(size, p - 1), eq(x, 0), 0));
    return mul(mul(slope, g), pow(norm, 1 - p));
  }
  const Tensor by = masked_fill(div(g, pow(norm, p - 1)), eq(norm, 0), 0);
  return mul(p < 2 ? mul(sgn(x), pow(size, p - 1)) : mul(x, pow(size, p - 2)), by);
}

Tensor VectorNormSelf(const Grad& g, Output<0> norm, const Tensor& self, const Scalar& ord,
                      Optional<IntSpan> dims, bool keepdim, Unsaved) {
  const IntSpan span = dims ? *dims : IntSpan();
  return NormGrad(Kept(g, span, keepdim, self.dim()), self, ord.To<double>(),
                  Kept(norm, span, keepdim, self.dim()), span);
}
const Gradient vector_norm_grad{"linalg_vector_norm", For("self", VectorNormSelf)};

Tensor DistSelf(const Grad& g, Output<0> y, const Tensor& self, const Tensor& other,
                const Scalar& p) {
  return NormGrad(g, sub(self, other), p.To<double>(), y, {});
}
Tensor DistOther(const Grad& g, Output<0> y, const Tensor& self, const Tensor& other,
                 const Scalar& p) {
  return neg(NormGrad(g, sub(self, other), p.To<double>(), y, {}));
}
const Gradient dist_grad{"dist", For("self", DistSelf), For("other", DistOther)};

// Slices along dim that are longer than maxnorm are x maxnorm / (norm + 1e-7). float32 and 16-bit
// numbers are taken with a wider norm, as on the way there.
Tensor RenormSelf(const Grad& g, const Tensor& self, const Scalar& p, int64_t dim,
                  const Scalar& maxnorm) {
  const int64_t along = dim < 0 ? dim + self.dim() : dim;
  std::vector<int64_t> dims;
  for (int64_t d = 0; d < self.dim(); ++d) {
    if (d != along) dims.push_back(d);
  }
  const DType type = self.dtype();
  const bool half = type == DType::kFloat16 || type == DType::kBFloat16;
  const DType wide = IsComplex(type) ? DType::kComplex128
                     : half          ? DType::kFloat32
                                     : DType::kFloat64;
  const Tensor norm = linalg_vector_norm(self, p, dims, true, wide);
  Tensor along_norm = mul(conj(self), g);
  if (IsComplex(type)) along_norm = real(along_norm);
  along_norm = sum(along_norm, dims, true, norm.dtype());
  const Tensor back = NormGrad(along_norm, self, p.To<double>(), norm, dims);
  const Tensor inverse = reciprocal(add(norm, 1e-7));
  const Tensor shortened = mul(mul(inverse, maxnorm), sub(g, mul(inverse, back)));
  return where(gt(norm, maxnorm), to(shortened, g.dtype()), g);
}
const Gradient renorm_grad{"renorm", For("self", RenormSelf)};

}  // namespace
}  // namespace sy
