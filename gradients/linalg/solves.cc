// Gradients of inverses and of solutions of linear systems. With X = A⁻¹ B, a gradient G of X is
// W = A⁻ᴴ G for B and -W Xᴴ for A.
#include <tuple>

#include "switchyard/autograd/gradient.h"
#include "switchyard/autograd/levels.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// A batch of vectors: A has a dimension more, and the sizes of B are those of A without the last.
bool IsVectors(const Tensor& a, IntSpan b) {
  if (b.size() == 1) return true;
  if (a.dim() - 1 != static_cast<int64_t>(b.size())) return false;
  for (size_t i = 0; i < b.size(); ++i) {
    if (a.sizes()[i] != b[i]) return false;
  }
  return true;
}

// _linalg_solve_ex: the factors of A solve the adjoint system, too. Where they are to be
// differentiated again, the solution is made of A anew: the factors have no history.
void SolveGrad(const Grad& g, Output<0> x, Output<1> lu, Output<2> pivots, const Tensor& a, Like b,
               bool left, Unsaved, Gradients& out) {
  if (!g.defined(0)) return;
  const bool vectors = IsVectors(a, b.sizes());
  const auto matrix = [&](const Tensor& t) { return vectors ? unsqueeze(t, -1) : t; };
  const Tensor rhs = matrix(g);
  const Tensor w = autograd::MayBeFollowed() ? linalg_solve(mH(a), rhs, left)
                                             : linalg_lu_solve(lu, pivots, rhs, left, true);
  if (out.needs(0)) {
    const Tensor xs = matrix(x);
    out.Set(0, neg(left ? matmul(w, mH(xs)) : matmul(mH(xs), w)));
  }
  if (out.needs(1)) out.Set(1, vectors ? squeeze(w, -1) : w);
}
const Gradient solve_grad{"_linalg_solve_ex", Constant({1}), ForAll({"A", "B"}, SolveGrad)};

// The forms whose bodies are those of the ones above, and would be made of LU factors.
Tensor Solve(const Tensor& a, const Tensor& b, bool left) {
  return std::get<0>(_linalg_solve_ex(a, b, left, true));
}
const Decomposition solve_parts{"linalg_solve", Solve};
std::tuple<Tensor, Tensor> SolveEx(const Tensor& a, const Tensor& b, bool left, bool check_errors) {
  const auto [x, lu, pivots, info] = _linalg_solve_ex(a, b, left, check_errors);
  return {x, info};
}
const Decomposition solve_ex_parts{"linalg_solve_ex", SolveEx};

Tensor InvA(const Grad& g, Output<0> inverse, Unsaved, Unsaved) {
  if (!g.defined(0)) return {};
  const Tensor h = mH(inverse);
  return neg(matmul(h, matmul(g, h)));
}
const Gradient inv_grad{"linalg_inv_ex", For("A", InvA)};
Tensor Inv(const Tensor& a) { return std::get<0>(linalg_inv_ex(a, true)); }
const Decomposition inv_parts{"linalg_inv", Inv};
const Decomposition inverse_parts{"inverse", Inv};

// Of a triangular A only that triangle is looked at, without its diagonal when that is of ones.
Tensor Triangle(const Tensor& g, bool upper, bool unitriangular) {
  return upper ? triu(g, unitriangular ? 1 : 0) : tril(g, unitriangular ? -1 : 0);
}
void SolveTriangularGrad(const Grad& g, Output<0> x, const Tensor& a, Unsaved, bool upper,
                         bool left, bool unitriangular, Gradients& out) {
  const Tensor w = linalg_solve_triangular(mH(a), g, !upper, left, unitriangular);
  if (out.needs(0)) {
    const Tensor h = mH(x);
    out.Set(0, Triangle(neg(left ? matmul(w, h) : matmul(h, w)), upper, unitriangular));
  }
  if (out.needs(1)) out.Set(1, w);
}
const Gradient solve_triangular_grad{"linalg_solve_triangular",
                                     ForAll({"self", "B"}, SolveTriangularGrad)};

// The old form: op(A) X = self, op the transpose when asked; the second result is A.
void OldTriangularGrad(const Grad& g, Output<0> x, Unsaved, const Tensor& a, bool upper,
                       bool transposed, bool unitriangular, Gradients& out) {
  Tensor of_a;
  if (g.defined(0)) {
    const Tensor w = std::get<0>(triangular_solve(g, conj(a), upper, !transposed, unitriangular));
    if (out.needs(0)) out.Set(0, w);
    if (out.needs(1)) {
      of_a = Triangle(neg(transposed ? matmul(conj(x.tensor()), mT(w)) : matmul(w, mH(x))), upper,
                      unitriangular);
    }
  }
  if (out.needs(1) && g.defined(1)) of_a = of_a.defined() ? add(of_a, g[1]) : g[1];
  out.Set(1, of_a);
}
const Gradient triangular_solve_grad{"triangular_solve", ForAll({"self", "A"}, OldTriangularGrad)};

// As in ATen the whole factor has a gradient, though one triangle of it is read.
// X = (L Lᴴ)⁻¹ B, or (Uᴴ U)⁻¹ B: W = (L Lᴴ)⁻¹ G is B's, and the factor's from S = W Xᴴ + X Wᴴ.
void CholeskySolveGrad(const Grad& g, Output<0> x, Unsaved, const Tensor& factor, bool upper,
                       Gradients& out) {
  const Tensor w = cholesky_solve(g, factor, upper);
  if (out.needs(0)) out.Set(0, w);
  if (!out.needs(1)) return;
  const Tensor half = matmul(w, mH(x)), s = add(half, mH(half));
  out.Set(1, neg(upper ? matmul(factor, s) : matmul(s, factor)));
}
const Gradient cholesky_solve_grad{"cholesky_solve", ForAll({"self", "input2"}, CholeskySolveGrad)};

Tensor CholeskyInverseSelf(const Grad& g, Output<0> inverse, const Tensor& factor, bool upper) {
  const Tensor s = matmul(matmul(inverse, add(g, mH(g))), inverse);
  return neg(upper ? matmul(factor, s) : matmul(s, factor));
}
const Gradient cholesky_inverse_grad{"cholesky_inverse", For("self", CholeskyInverseSelf)};

}  // namespace
}  // namespace sy
