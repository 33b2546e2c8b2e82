// Gradients of factorisations: Cholesky, LU, QR, and products of reflections. Each gives the part
// of the gradient that keeps the form of the factors; formulas as in "Differentiation of matrix
// functionals" (Giles) and "Auto-differentiating linear algebra" (Seeger and others).
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// --- Cholesky: A = L Lᴴ. gA = L⁻ᴴ φ L⁻¹, φ the Hermitian half of Lᴴ gL.
Tensor CholeskyGrad(const Tensor& g, const Tensor& factor, bool upper) {
  const Tensor l = upper ? mH(factor) : factor, gl = upper ? mH(g) : g;
  Tensor phi = tril(matmul(mH(l), gl));
  phi = mul(add(phi, mH(tril(phi, -1))), 0.5);
  return linalg_solve_triangular(l, linalg_solve_triangular(mH(l), phi, true, true), false, false);
}
Tensor CholeskyExSelf(const Grad& g, Output<0> factor, Unsaved, bool upper, Unsaved) {
  return g.defined(0) ? CholeskyGrad(g, factor, upper) : Tensor{};
}
Tensor CholeskySelf(const Grad& g, Output<0> factor, Unsaved, bool upper) {
  return CholeskyGrad(g, factor, upper);
}
const Gradient cholesky_ex_grad{"linalg_cholesky_ex", For("self", CholeskyExSelf)};
const Gradient cholesky_grad{"cholesky", For("self", CholeskySelf)};

// --- LU: A = P L U, A of [m, n], k = min(m, n).
Tensor SolveL(const Tensor& l, const Tensor& b) {  // L⁻ᴴ B
  return linalg_solve_triangular(mH(l), b, true, true, true);
}
Tensor SolveU(const Tensor& u, const Tensor& b) {  // B U⁻ᴴ
  return linalg_solve_triangular(mH(u), b, false, false);
}
// gl, gu: either may be undefined. The two inner parts meet at the square of k rows and columns;
// what lies outside of it depends on one of the factors only.
Tensor LuGrad(const Tensor& gl, const Tensor& gu, const Tensor& p, const Tensor& l, const Tensor& u,
              bool pivot) {
  if (!gl.defined() && !gu.defined()) return {};
  const int64_t m = l.size(-2), n = u.size(-1), k = std::min(m, n);
  const auto permuted = [&](const Tensor& t) { return pivot ? matmul(p, t) : t; };
  if (m == n) {
    Tensor phi;
    if (gl.defined()) phi = tril(matmul(mH(l), gl), -1);
    if (gu.defined()) {
      const Tensor of_u = triu(matmul(gu, mH(u)));
      phi = phi.defined() ? add(phi, of_u) : of_u;
    }
    return permuted(SolveL(l, SolveU(u, phi)));
  }
  if (m < n) {  // U = [U1 U2]: A2 = P L U2
    const Tensor u1 = narrow(u, -1, 0, k);
    Tensor phi, right;
    if (gl.defined()) phi = tril(matmul(mH(l), gl), -1);
    if (gu.defined()) {
      const Tensor u2 = narrow(u, -1, k, n - k), gu1 = narrow(gu, -1, 0, k),
                   gu2 = narrow(gu, -1, k, n - k);
      const Tensor inner = sub(triu(matmul(gu1, mH(u1))), tril(matmul(gu2, mH(u2)), -1));
      phi = phi.defined() ? add(phi, inner) : inner;
      right = gu2;
    } else {
      std::vector<int64_t> sizes(u.sizes().begin(), u.sizes().end());
      sizes.back() = n - k;
      right = new_zeros(u, sizes);
    }
    const Tensor left = SolveU(u1, phi);
    return permuted(SolveL(l, cat(std::vector<Tensor>{left, right}, -1)));
  }
  // L = [L1; L2]: A2 = P L2 U
  const Tensor l1 = narrow(l, -2, 0, k);
  Tensor phi, below;
  if (gu.defined()) phi = triu(matmul(gu, mH(u)));
  if (gl.defined()) {
    const Tensor l2 = narrow(l, -2, k, m - k), gl1 = narrow(gl, -2, 0, k),
                 gl2 = narrow(gl, -2, k, m - k);
    const Tensor inner = sub(tril(matmul(mH(l1), gl1), -1), triu(matmul(mH(l2), gl2)));
    phi = phi.defined() ? add(phi, inner) : inner;
    below = gl2;
  } else {
    std::vector<int64_t> sizes(l.sizes().begin(), l.sizes().end());
    sizes[sizes.size() - 2] = m - k;
    below = new_zeros(l, sizes);
  }
  const Tensor above = SolveL(l1, phi);
  return permuted(SolveU(u, cat(std::vector<Tensor>{above, below}, -2)));
}

Tensor LuA(const Grad& g, Output<0> p, Output<1> l, Output<2> u, Unsaved, bool pivot) {
  return LuGrad(g[1], g[2], p, l, u, pivot);
}
const Gradient lu_grad{"linalg_lu", Constant({0}), For("A", LuA)};

// The packed factors: L below the diagonal, U on and above it.
Tensor LuFactorA(const Grad& g, Output<0> lu, Output<1> pivots, Unsaved, bool pivot, Unsaved) {
  if (!g.defined(0)) return {};
  const auto [p, l, u] = lu_unpack(lu, pivots, true, pivot);
  const int64_t k = std::min(lu.tensor().size(-2), lu.tensor().size(-1));
  return LuGrad(tril(narrow(g[0], -1, 0, k), -1), triu(narrow(g[0], -2, 0, k)), p, l, u, pivot);
}
const Gradient lu_factor_grad{"linalg_lu_factor_ex", For("A", LuFactorA)};

// Each factor back in its place, zeros about it.
Tensor Widened(const Tensor& t, int64_t dim, int64_t size) {
  if (t.size(dim) == size) return t;
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end());
  sizes[static_cast<size_t>(t.dim() + dim)] = size - t.size(dim);
  return cat(std::vector<Tensor>{t, new_zeros(t, sizes)}, dim);
}
Tensor LuUnpackData(const Grad& g, Like lu, Unsaved, Unsaved, Unsaved) {
  Tensor sum;
  if (g.defined(1)) sum = Widened(tril(g[1], -1), -1, lu.size(-1));
  if (g.defined(2)) {
    const Tensor of_u = Widened(triu(g[2]), -2, lu.size(-2));
    sum = sum.defined() ? add(sum, of_u) : of_u;
  }
  return sum;
}
const Gradient lu_unpack_grad{"lu_unpack", Constant({0}), For("LU_data", LuUnpackData)};

// linalg_lu_solve: with A = P L U, as of a solve, W = A⁻ᴴ G and gA = -W Xᴴ (left), -Xᴴ W (right);
// the factors' from gA = P gA': gL = gA' Uᴴ, gU = Lᴴ gA'. The adjoint solves Aᴴ X = B.
void LuSolveGrad(const Grad& g, Output<0> x, const Tensor& lu, const Tensor& pivots, Unsaved,
                 bool left, bool adjoint, Gradients& out) {
  const Tensor w = linalg_lu_solve(lu, pivots, g, left, !adjoint);
  if (out.needs(2)) out.Set(2, w);
  if (!out.needs(0)) return;
  const auto [p, l, u] = lu_unpack(lu, pivots);
  const Tensor of_op = neg(left ? matmul(w, mH(x)) : matmul(mH(x), w));
  const Tensor rows = matmul(mT(p), adjoint ? mH(of_op) : of_op);
  out.Set(0, add(tril(matmul(rows, mH(u)), -1), triu(matmul(mH(l), rows))));
}
const Gradient lu_solve_grad{"linalg_lu_solve", ForAll({"LU", "B"}, LuSolveGrad)};

// --- QR: A = Q R. gA = (gQ + Q fold(triu(gR Rᴴ - Qᴴ gQ))) R⁻ᴴ where R is square. A wide
// A = [A1 A2] has R = [R1 R2] and R2 = Qᴴ A2: gA2 = Q gR2, and Q has A2 gR2ᴴ more.
Tensor Folded(const Tensor& x) {  // X + Xᴴ, with half of its diagonal
  const Tensor sum = add(x, mH(x));
  return sub(sum, mul(diag_embed(diagonal(sum, 0, -2, -1)), 0.5));
}
Tensor SquareQrGrad(const Tensor& gq, const Tensor& gr, const Tensor& q, const Tensor& r) {
  Tensor inner;
  if (gr.defined()) inner = matmul(gr, mH(r));
  if (gq.defined()) {
    const Tensor of_q = matmul(mH(q), gq);
    inner = inner.defined() ? sub(inner, of_q) : neg(of_q);
  }
  Tensor sum = matmul(q, Folded(triu(inner)));
  if (gq.defined()) sum = add(sum, gq);
  return linalg_solve_triangular(mH(r), sum, false, false);
}
Tensor QrA(const Grad& g, Output<0> q_out, Output<1> r_out, Unsaved, std::string_view mode) {
  const Tensor &q = q_out, &r = r_out;
  if (mode == "r") {
    Fail(ErrorCode::kNotImplemented, "linalg_qr",
         {"mode 'r' has no gradient, as Q is not computed; mode 'reduced' has"});
  }
  const int64_t m = q.size(-2), n = r.size(-1);
  if (mode == "complete" && m > n) {
    Fail(ErrorCode::kNotImplemented, "linalg_qr",
         {"mode 'complete' has a gradient only where A has no more rows than columns, got ", m,
          " and ", n});
  }
  const Tensor &gq = g[0], &gr = g[1];
  if (m >= n) return SquareQrGrad(gq, gr, q, r);
  const Tensor r1 = narrow(r, -1, 0, m), r2 = narrow(r, -1, m, n - m);
  if (!gr.defined()) {
    return cat(std::vector<Tensor>{SquareQrGrad(gq, gr, q, r1), zeros_like(r2)}, -1);
  }
  const Tensor gr1 = narrow(gr, -1, 0, m), gr2 = narrow(gr, -1, m, n - m);
  const Tensor of_r2 = matmul(q, matmul(r2, mH(gr2)));
  const Tensor more = gq.defined() ? add(gq, of_r2) : of_r2;
  return cat(std::vector<Tensor>{SquareQrGrad(more, gr1, q, r1), matmul(q, gr2)}, -1);
}
const Gradient qr_grad{"linalg_qr", For("A", QrA)};

std::tuple<Tensor, Tensor> OldQr(const Tensor& self, bool some) {
  return linalg_qr(self, some ? "reduced" : "complete");
}
const Decomposition old_qr_parts{"qr", OldQr};

}  // namespace
}  // namespace sy
