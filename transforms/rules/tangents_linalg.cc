// Tangents of factorisations, of products of reflections, and of what solves least squares. Each
// keeps the form of the factors: "Auto-differentiating linear algebra" (Seeger and others), Golub
// and Pereyra (1973) for pseudoinverses.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include "switchyard/core/error.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/forward.h"

namespace sy {
namespace {

Tensor Diagonal(const Tensor& x) { return diagonal(x, 0, -2, -1); }
Tensor Sum(const Tensor& a, const Tensor& b) { return a.defined() ? add(a, b) : b; }

// --- A = L Lᴴ: dL = L φ(L⁻¹ dA L⁻ᴴ), φ the lower triangle with half of the diagonal. One triangle
// of A is read, so that dA is its Hermitian part.
void Cholesky(TangentCall& c) {
  const bool upper = c.args[1].i != 0;
  const Tensor l = upper ? mH(c.result()) : c.result(), &t = c.tangent(0);
  const Tensor hermitian = mul(add(t, mH(t)), 0.5);
  Tensor phi = linalg_solve_triangular(l, hermitian, false);
  phi = tril(linalg_solve_triangular(mH(l), phi, true, false));
  phi = sub(phi, mul(diag_embed(Diagonal(phi)), 0.5));
  const Tensor dl = matmul(l, phi);
  c.Set(0, upper ? mH(dl) : dl);
}
const Tangent cholesky_rule{{"linalg_cholesky_ex", "cholesky"}, Cholesky};

// --- A = Q R. With C = Qᴴ dA R⁻¹: dQ = Q W + (I - Q Qᴴ) dA R⁻¹ and dR = (C - W) R, where C - W is
// upper triangular with a real diagonal and W skew-Hermitian. A wide A = [A1 A2] has R = [R1 R2],
// R2 = Qᴴ A2.
void Qr(TangentCall& c) {
  const std::string_view mode = c.args[1].text();
  const Tensor &q = c.result(0), &r = c.result(1), &t = c.tangent(0);
  const int64_t m = t.size(-2), n = t.size(-1);
  if (mode == "r" || (mode == "complete" && m > n)) {
    Fail(ErrorCode::kNotImplemented, "linalg_qr",
         {"mode '", mode, "' has no tangent for ", m, " rows and ", n,
          " columns; mode 'reduced' has"});
  }
  const int64_t k = std::min(m, n);
  const Tensor r1 = narrow(r, -1, 0, k), t1 = narrow(t, -1, 0, k);
  const Tensor scaled = linalg_solve_triangular(r1, t1, true, false);  // dA1 R1⁻¹
  const Tensor inner = matmul(mH(q), scaled);
  const Tensor below = tril(inner, -1);
  Tensor skew = sub(below, mH(below));
  if (IsComplex(t.dtype())) {
    const Tensor turns = imag(Diagonal(inner));
    skew = add(skew, diag_embed(complex(zeros_like(turns), turns)));
  }
  Tensor dq = matmul(q, skew);
  if (m > n) dq = add(dq, sub(scaled, matmul(q, inner)));
  Tensor dr = matmul(sub(inner, skew), r1);
  if (n > m) {
    const Tensor a2 = matmul(q, narrow(r, -1, m, n - m));
    const Tensor dr2 = add(matmul(mH(dq), a2), matmul(mH(q), narrow(t, -1, m, n - m)));
    dr = cat(std::vector<Tensor>{dr, dr2}, -1);
  }
  c.Set(0, dq);
  c.Set(1, dr);
}
const Tangent qr_rule{{"linalg_qr"}, Qr};

// --- Products of reflections I - tau v vᴴ, v the columns of a matrix below its diagonal, with 1 on
// it: Y = Q X, or Qᴴ X, and its tangent. Tangents may be undefined.
struct Reflections {
  Tensor vectors, tau, of_vectors, of_tau;
};
Tensor Reflected(const Reflections& h, Tensor y, Tensor dy, bool adjoint) {
  const int64_t k = h.tau.size(-1);
  const Tensor ones = eye(h.vectors.size(-2), h.vectors.size(-1), h.vectors.dtype(), std::nullopt,
                          h.vectors.device());
  const Tensor below = tril(h.vectors, -1);
  const Tensor of_below = h.of_vectors.defined() ? tril(h.of_vectors, -1) : Tensor();
  const auto factor = [&](const Tensor& tau, int64_t i) {
    const Tensor t = unsqueeze(narrow(tau, -1, i, 1), -1);
    return adjoint ? conj(t) : t;
  };
  for (int64_t step = 0; step < k; ++step) {
    const int64_t i = adjoint ? step : k - 1 - step;
    const Tensor v = add(narrow(below, -1, i, 1), narrow(ones, -1, i, 1)), t = factor(h.tau, i);
    const Tensor row = matmul(mH(v), y);
    Tensor taken;  // what dY loses
    if (dy.defined()) taken = mul(t, matmul(v, matmul(mH(v), dy)));
    if (h.of_tau.defined()) taken = Sum(taken, mul(factor(h.of_tau, i), matmul(v, row)));
    if (of_below.defined()) {
      const Tensor dv = narrow(of_below, -1, i, 1);
      taken = Sum(taken, mul(t, add(matmul(dv, row), matmul(v, matmul(mH(dv), y)))));
    }
    if (taken.defined()) dy = dy.defined() ? sub(dy, taken) : neg(taken);
    y = sub(y, mul(t, matmul(v, row)));
  }
  return dy;
}
void Householder(TangentCall& c) {
  const Tensor &vectors = c.primal(0), &tau = c.primal(1);
  const Tensor first =
      eye(vectors.size(-2), vectors.size(-1), vectors.dtype(), std::nullopt, vectors.device());
  const Tensor t = Reflected({vectors, tau, c.tangent(0), c.tangent(1)}, first, Tensor(), false);
  c.Set(0, t.defined() ? t : zeros_like(c.result()));
}
const Tangent householder_rule{{"linalg_householder_product", "orgqr"}, Householder};

// X Q is (Qᴴ Xᴴ)ᴴ.
void Ormqr(TangentCall& c) {
  const bool left = c.args[3].i != 0, adjoint = c.args[4].i != 0;
  const Reflections h{c.primal(0), c.primal(1), c.tangent(0), c.tangent(1)};
  const Tensor &x = c.primal(2), &dx = c.tangent(2);
  const auto turned = [&](const Tensor& t) { return left || !t.defined() ? t : mH(t); };
  const Tensor t = turned(Reflected(h, turned(x), turned(dx), left ? adjoint : !adjoint));
  c.Set(0, t.defined() ? t : zeros_like(c.result()));
}
const Tangent ormqr_rule{{"ormqr"}, Ormqr};

// --- P the pseudoinverse of A: dP = -P dA P + P Pᴴ dAᴴ (I - A P) + (I - P A) dAᴴ Pᴴ P.
Tensor PinvTangent(const Tensor& a, const Tensor& p, const Tensor& t) {
  const Tensor th = mH(t), ph = mH(p);
  const Tensor inside = matmul(p, matmul(t, p));
  const Tensor left = matmul(matmul(p, ph), sub(th, matmul(matmul(th, a), p)));
  const Tensor right = matmul(sub(th, matmul(p, matmul(a, th))), matmul(ph, p));
  return sub(add(left, right), inside);
}
void Pinv(TangentCall& c) {
  if (c.has(0)) c.Set(0, PinvTangent(c.primal(0), c.result(), c.tangent(0)));
}
const Tangent pinv_rule{{"linalg_pinv", "linalg_pinv.atol_rtol_tensor",
                         "linalg_pinv.atol_rtol_float", "linalg_pinv.rcond_tensor", "pinverse"},
                        Pinv};

// X = P B. The residuals, where they are computed, are |A X - B|² at their minimum: X moves them by
// nothing.
void Lstsq(TangentCall& c) {
  const Tensor &a = c.primal(0), &b = c.primal(1), &da = c.tangent(0), &db = c.tangent(1);
  const bool vectors = b.dim() == a.dim() - 1;
  const auto matrix = [&](const Tensor& t) {
    return vectors && t.defined() ? unsqueeze(t, -1) : t;
  };
  const Tensor p = linalg_pinv(a), x = matrix(c.result(0)), bs = matrix(b), dbs = matrix(db);
  Tensor dx;
  if (da.defined()) dx = matmul(PinvTangent(a, p, da), bs);
  if (db.defined()) dx = Sum(dx, matmul(p, dbs));
  c.Set(0, vectors ? squeeze(dx, -1) : dx);
  if (c.result(1).numel() == 0) return;
  Tensor moved;
  if (da.defined()) moved = matmul(da, x);
  if (db.defined()) moved = moved.defined() ? sub(moved, dbs) : neg(dbs);
  const Tensor products = mul(conj(sub(matmul(a, x), bs)), moved);
  const Tensor size = mul(sum(products, {-2}), 2);
  c.Set(1, IsComplex(size.dtype()) ? real(size) : size);
}
const Tangent lstsq_rule{{"linalg_lstsq"}, Lstsq};

}  // namespace
}  // namespace sy
