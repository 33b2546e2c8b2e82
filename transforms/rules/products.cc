// Rules of products of vectors and matrices.
#include <complex>

#include "transforms/rules/shared_internal.h"

namespace sy::transforms {
namespace {

// matmul lines the batch up where only one factor has it. It takes more than these operators do,
// which say so themselves.
void Mm(BatchCall& c) {
  if (c.rank(0) != 2 || c.rank(1) != 2) return BatchLoop(c);
  c.Set(0, matmul(c.value(0), c.value(1)));
}
const Batching mm_rule{"mm", Mm};

void Bmm(BatchCall& c) {
  if (c.rank(0) != 3 || c.rank(1) != 3) return BatchLoop(c);
  // One without a batch has [n, p, q], beside [B, n, q, r]: they broadcast.
  c.Set(0, matmul(c.value(0), c.value(1)));
}
const Batching bmm_rule{"bmm", Bmm};

void Mv(BatchCall& c) {
  if (c.rank(0) != 2 || c.rank(1) != 1) return BatchLoop(c);
  c.Set(0, squeeze(matmul(c.value(0), unsqueeze(c.value(1), -1)), -1));
}
const Batching mv_rule{"mv", Mv};

void Dot(BatchCall& c) {
  if (c.rank(0) != 1 || c.rank(1) != 1) return BatchLoop(c);
  const Tensor row = unsqueeze(c.expanded(0), 1), column = unsqueeze(c.value(1), -1);
  c.Set(0, squeeze(squeeze(matmul(row, column), -1), -1));
}
const Batching dot_rule{"dot", Dot};

Tensor Linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  const Tensor y = matmul(x, t(weight));
  return bias.defined() ? add(y, bias) : y;
}
const Batching linear_rule{"linear", Decomposed(Linear)};

// What is given besides is nothing where beta is 0, also where it is nan.
Tensor Plus(const Tensor& self, const Tensor& product, const Scalar& beta, const Scalar& alpha) {
  const auto is = [](const Scalar& s, double x) { return s.To<std::complex<double>>() == x; };
  if (!IsFloating(product.dtype()) && !IsComplex(product.dtype())) {  // as kernels of integers do
    return add(mul(self, Scalar(beta.To<int64_t>())), mul(product, Scalar(alpha.To<int64_t>())));
  }
  const Tensor scaled = is(alpha, 1) ? product : mul(product, alpha);
  if (is(beta, 0)) return scaled;
  return add(scaled, is(beta, 1) ? self : mul(self, beta));
}
Tensor Addmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
             const Scalar& alpha) {
  return Plus(self, mm(a, b), beta, alpha);
}
Tensor AddmmActivation(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
                       const Scalar& alpha, bool use_gelu) {
  const Tensor sum = Addmm(self, a, b, beta, alpha);
  return use_gelu ? gelu(sum) : relu(sum);
}
Tensor Baddbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
               const Scalar& alpha) {
  return Plus(self, bmm(a, b), beta, alpha);
}
Tensor Addbmm(const Tensor& self, const Tensor& a, const Tensor& b, const Scalar& beta,
              const Scalar& alpha) {
  return Plus(self, sum(bmm(a, b), 0), beta, alpha);
}
Tensor Addmv(const Tensor& self, const Tensor& a, const Tensor& v, const Scalar& beta,
             const Scalar& alpha) {
  return Plus(self, mv(a, v), beta, alpha);
}
Tensor Addr(const Tensor& self, const Tensor& u, const Tensor& v, const Scalar& beta,
            const Scalar& alpha) {
  return Plus(self, mul(unsqueeze(u, 1), v), beta, alpha);
}
const Batching addmm_rule{"addmm", Decomposed(Addmm)};
const Batching addmm_activation_rule{"_addmm_activation", Decomposed(AddmmActivation)};
const Batching baddbmm_rule{"baddbmm", Decomposed(Baddbmm)};
const Batching addbmm_rule{"addbmm", Decomposed(Addbmm)};
const Batching addmv_rule{"addmv", Decomposed(Addmv)};
const Batching addr_rule{"addr", Decomposed(Addr)};

}  // namespace
}  // namespace sy::transforms
