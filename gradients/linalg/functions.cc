// Gradients of the matrix exponential, of pseudoinverses and least squares.
#include <cstdint>
#include <optional>
#include <string_view>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor ExpSelf(const Grad& g, const Tensor& self) { return matrix_exp_backward(self, g); }
const Gradient linalg_matrix_exp_grad{"linalg_matrix_exp", For("self", ExpSelf)};
const Gradient matrix_exp_grad{"matrix_exp", For("self", ExpSelf)};

// P the pseudoinverse of A (Golub and Pereyra, 1973), in the order of the smaller products.
Tensor PinvGrad(const Tensor& g, const Tensor& p, const Tensor& a) {
  const Tensor ph = mH(p), gh = mH(g);
  if (a.size(-2) <= a.size(-1)) {
    const Tensor k = matmul(gh, p), kph = matmul(k, ph);
    const Tensor inside = sub(kph, matmul(matmul(a, p), kph));
    const Tensor outside = matmul(matmul(ph, p), sub(gh, matmul(k, a)));
    return add(sub(inside, mH(matmul(p, k))), outside);
  }
  const Tensor k = matmul(p, gh), phk = matmul(ph, k);
  const Tensor inside = sub(phk, matmul(matmul(phk, p), a));
  const Tensor outside = matmul(matmul(sub(gh, matmul(a, k)), p), ph);
  return add(sub(inside, mH(matmul(k, p))), outside);
}
Tensor PinvBounds(const Grad& g, Output<0> p, const Tensor& a, Unsaved, Unsaved, Unsaved) {
  return PinvGrad(g, p, a);
}
const Gradient pinv_grad{"linalg_pinv.atol_rtol_tensor", For("self", PinvBounds)};
const Gradient pinv_numbers_grad{"linalg_pinv.atol_rtol_float", For("self", PinvBounds)};
Tensor PinvBound(const Grad& g, Output<0> p, const Tensor& a, Unsaved, Unsaved) {
  return PinvGrad(g, p, a);
}
const Gradient pinv_number_grad{"linalg_pinv", For("self", PinvBound)};
const Gradient pinv_tensor_grad{"linalg_pinv.rcond_tensor", For("self", PinvBound)};
Tensor OldPinv(const Grad& g, Output<0> p, const Tensor& a, Unsaved) { return PinvGrad(g, p, a); }
const Gradient pinverse_grad{"pinverse", For("self", OldPinv)};

// X = P B: gB = Pᴴ G, P's is G Bᴴ. The residuals |A X - B|², where computed, do not depend on X to
// first order: it is their minimum.
void LstsqGrad(const Grad& g, Output<0> solution, const Tensor& a, const Tensor& b, Unsaved,
               Unsaved, Gradients& out) {
  const bool vectors = b.dim() == a.dim() - 1;
  const auto matrix = [&](const Tensor& t) { return vectors ? unsqueeze(t, -1) : t; };
  const auto sum = [](const Tensor& t, const Tensor& u) { return t.defined() ? add(t, u) : u; };
  Tensor ga, gb;
  if (g.defined(0)) {
    const Tensor p = linalg_pinv(a), gx = matrix(g[0]);
    if (out.needs(0)) ga = PinvGrad(matmul(gx, mH(matrix(b))), p, a);
    if (out.needs(1)) gb = matmul(mH(p), gx);
  }
  if (g.defined(1) && g[1].numel() != 0) {
    const Tensor x = matrix(solution);
    const Tensor rest = mul(mul(sub(matmul(a, x), matrix(b)), 2), unsqueeze(g[1], -2));
    if (out.needs(0)) ga = sum(ga, matmul(rest, mH(x)));
    if (out.needs(1)) gb = sum(gb, neg(rest));
  }
  out.Set(0, ga);
  out.Set(1, vectors && gb.defined() ? squeeze(gb, -1) : gb);
}
const Gradient lstsq_grad{"linalg_lstsq", Constant({3}), ForAll({"self", "b"}, LstsqGrad)};

// As in ATen these have none: geqrf, linalg_ldl_factor_ex, linalg_ldl_solve.
// Whole numbers and nothing: a rank.
const NotDifferentiable ranks{"linalg_matrix_rank", "linalg_matrix_rank.tol_tensor",
                              "linalg_matrix_rank.atol_rtol_float",
                              "linalg_matrix_rank.atol_rtol_tensor", "_linalg_check_errors"};

}  // namespace
}  // namespace sy
