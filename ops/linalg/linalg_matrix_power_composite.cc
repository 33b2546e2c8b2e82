// Powers and exponentials of matrices by products.

#include "ops/checks.h"
#include "ops/linalg/identity_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void RequireSquareOfAny(Call call, const Tensor& self) {
  if (self.dim() >= 2 && self.size(-1) == self.size(-2)) return;
  Fail(ErrorCode::kInvalidArgument, call.op(),
       {"self must be square matrices, got sizes ", self.sizes()});
}
Tensor IdentityLike(const Tensor& self) {
  return clone(expand(Identity(self), self.sizes()), MemoryFormat::kContiguous);
}

// --- Powers
Tensor Power(Call call, const Tensor& self, int64_t n) {
  RequireSquareOfAny(call, self);
  if (n == 0) return IdentityLike(self);
  if (n == 1) return clone(self, MemoryFormat::kContiguous);
  // |n| below 2^63 and as an unsigned number: -2^63 has a magnitude too.
  const uint64_t times = n > 0 ? static_cast<uint64_t>(n) : -static_cast<uint64_t>(n);
  Tensor square = n > 0 ? self : linalg_inv(self), result;
  for (uint64_t rest = times; rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result = result.defined() ? matmul(result, square) : square;
    if (rest > 1) square = matmul(square, square);
  }
  return result;
}
const Composite linalg_matrix_power_body{"linalg_matrix_power", Power};
const Composite matrix_power_body{"matrix_power", Power};

// --- Exponentials
// By Padé's approximation of degree 13 for matrices of a 1-norm up to 5.37; others are halved s
// times first, and the result squared as often. In double, whatever the dtype.
// Source: N. J. Higham, The Scaling and Squaring Method for the Matrix Exponential Revisited, SIAM
// J. Matrix Anal. Appl. 26 (2005), algorithm 2.3; the coefficients are those of (2.1).
constexpr double kTheta = 5.371920351148152;
constexpr double kPade[] = {64764752532480000,
                            32382376266240000,
                            7771770303897600,
                            1187353796428800,
                            129060195264000,
                            10559470521600,
                            670442572800,
                            33522128640,
                            1323241920,
                            40840800,
                            960960,
                            16380,
                            182,
                            1};

Tensor Pade13(const Tensor& a) {
  const Tensor one = IdentityLike(a), a2 = matmul(a, a), a4 = matmul(a2, a2), a6 = matmul(a4, a2);
  // c6 a6 + c4 a4 + c2 a2
  const auto even = [&](double c6, double c4, double c2) {
    return add(add(mul(a6, c6), mul(a4, c4)), mul(a2, c2));
  };
  const double* const b = kPade;
  const Tensor odd = matmul(
      a, add(matmul(a6, even(b[13], b[11], b[9])), add(even(b[7], b[5], b[3]), mul(one, b[1]))));
  const Tensor rest =
      add(matmul(a6, even(b[12], b[10], b[8])), add(even(b[6], b[4], b[2]), mul(one, b[0])));
  return linalg_solve(sub(rest, odd), add(rest, odd));
}

Tensor Exp(Call call, const Tensor& self) {
  RequireSquareOfAny(call, self);
  RequireFloatingOrComplex(call, self);
  if (self.numel() == 0 || !HasData(self))
    return empty_like(self, {}, {}, {}, {}, MemoryFormat::kContiguous);
  const Tensor a = to(self, IsComplex(self.dtype()) ? DType::kComplex128 : DType::kFloat64);
  const Tensor norm = amax(sum(abs(a), -2), -1, true);
  // Of each matrix, how often it is halved; NaN and infinities go through as they are.
  const Tensor halvings = nan_to_num(clamp_min(ceil(log2(div(norm, kTheta))), 0), 0., 0., 0.);
  const Tensor times = unsqueeze(halvings, -1);
  Tensor result = Pade13(div(a, exp2(times)));
  const auto most = static_cast<int64_t>(item(amax(halvings)).To<double>());
  for (int64_t i = 0; i < most; ++i) result = where(gt(times, i), matmul(result, result), result);
  return to(contiguous(result), self.dtype());
}
const Composite linalg_matrix_exp_body{"linalg_matrix_exp", Exp};
const Composite matrix_exp_body{"matrix_exp", Exp};

}  // namespace
}  // namespace sy
