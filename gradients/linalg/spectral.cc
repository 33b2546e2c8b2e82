// Gradients of eigenvalues and singular values and their vectors. Vectors are unique up to a factor
// of size 1 each; a loss that depends on it has no gradient, which is told. Equal values make the
// vectors' gradients infinite.
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Diagonal(const Tensor& x) { return diagonal(x, 0, -2, -1); }
Tensor Sum(const Tensor& a, const Tensor& b) {
  if (!a.defined()) return b;
  return b.defined() ? add(a, b) : a;
}
// x[j] - x[i] at [i, j], 1 on the diagonal.
Tensor Differences(const Tensor& x) {
  return add(sub(unsqueeze(x, -2), unsqueeze(x, -1)), diag_embed(ones_like(x)));
}
void RequireZero(const char* op, const Tensor& phase) {
  // What is another tensor in each example (vmap), or has a tangent, is not read.
  const uint32_t layers = LayersOfKey(phase.key() & ~(kConjBit | kNegBit | kGradBit));
  if (layers != 0 || allclose(phase, zeros_like(phase), 1e-2, 1e-2)) return;
  Fail(
      ErrorCode::kInvalidArgument, op,
      {"the loss depends on the phase of the vectors, which are unique only up to a complex factor "
       "of size 1; its gradient is not defined"});
}

// A V = V diag(L). Hermitian: gA = V (diag(gL) + skew(Vᴴ gV) / E) Vᴴ. Else the columns of V have
// norm 1, and V⁻ᴴ stands for V on the left.
Tensor EigGrad(const char* op, const Tensor& gl, const Tensor& gv, const Tensor& l, const Tensor& v,
               bool hermitian) {
  if (!gl.defined() && !gv.defined()) return {};
  const Tensor vh = mH(v);
  if (!gv.defined()) {
    const Tensor scaled = mul(unsqueeze(gl, -1), vh);
    return hermitian ? matmul(v, scaled) : linalg_solve(vh, scaled);
  }
  Tensor inner = matmul(vh, gv);
  const Tensor diag = Diagonal(inner);
  if (IsComplex(v.dtype())) RequireZero(op, imag(diag));
  if (hermitian) {
    inner = mul(sub(inner, mH(inner)), 0.5);
  } else {
    inner = sub(inner, matmul(vh, mul(v, unsqueeze(real(diag), -2))));
  }
  inner = div(inner, conj(Differences(l)));
  if (gl.defined()) inner = add(inner, diag_embed(gl));
  return hermitian ? matmul(v, matmul(inner, vh)) : linalg_solve(vh, matmul(inner, vh));
}

Tensor EighA(const Grad& g, Output<0> l, Output<1> v, Unsaved, Unsaved, bool compute_v) {
  if (!compute_v) {
    Fail(ErrorCode::kNotImplemented, "_linalg_eigh",
         {"compute_v must be true where a gradient is recorded"});
  }
  return EigGrad("linalg_eigh", g[0], g[1], l, v, true);
}
const Gradient eigh_grad{"_linalg_eigh", For("A", EighA)};
Tensor EigSelf(const Grad& g, Output<0> l, Output<1> v, Unsaved) {
  return EigGrad("linalg_eig", g[0], g[1], l, v, false);
}
const Gradient eig_grad{"linalg_eig", For("self", EigSelf)};

// Values alone: by what gives the vectors, too.
Tensor Eigvals(const Tensor& self) { return std::get<0>(linalg_eig(self)); }
const Decomposition eigvals_parts{"linalg_eigvals", Eigvals};
Tensor Eigvalsh(const Tensor& self, std::string_view uplo) {
  return std::get<0>(_linalg_eigh(self, uplo, true));
}
const Decomposition eigvalsh_parts{"linalg_eigvalsh", Eigvalsh};
std::tuple<Tensor, Tensor> Eigh(const Tensor& self, std::string_view uplo) {
  return _linalg_eigh(self, uplo, true);
}
const Decomposition eigh_parts{"linalg_eigh", Eigh};

// A = U diag(S) Vh, the reduced form, k = min(m, n); U, V of more columns have none of theirs.
Tensor SvdA(const Grad& g, Output<0> u_out, Output<1> s_out, Output<2> vh_out, Unsaved, Unsaved,
            bool compute_uv, Unsaved) {
  if (!compute_uv) {
    Fail(ErrorCode::kNotImplemented, "_linalg_svd",
         {"compute_uv must be true where a gradient is recorded"});
  }
  const Tensor& s = s_out;
  const int64_t k = s.size(-1), m = u_out.tensor().size(-2), n = vh_out.tensor().size(-1);
  const auto columns = [&](const Tensor& t) { return t.defined() ? narrow(t, -1, 0, k) : t; };
  const auto rows = [&](const Tensor& t) { return t.defined() ? narrow(t, -2, 0, k) : t; };
  const Tensor u = columns(u_out), vh = rows(vh_out), gu = columns(g[0]), gvh = rows(g[2]);
  const Tensor& gs = g[1];
  if (!gu.defined() && !gvh.defined()) {
    return gs.defined() ? matmul(mul(u, unsqueeze(gs, -2)), vh) : Tensor{};
  }
  const auto skew = [](const Tensor& x) { return sub(x, mH(x)); };
  Tensor of_u, of_v;
  if (gu.defined()) of_u = skew(matmul(mH(u), gu));
  if (gvh.defined()) of_v = skew(matmul(vh, mH(gvh)));
  const bool is_complex = IsComplex(u.dtype());
  if (is_complex) RequireZero("linalg_svd", imag(Diagonal(Sum(of_u, of_v))));
  Tensor inner;
  if (gu.defined()) inner = mul(of_u, unsqueeze(s, -2));
  if (gvh.defined()) inner = Sum(inner, mul(unsqueeze(s, -1), of_v));
  inner = div(inner, Differences(mul(s, s)));
  if (gs.defined()) inner = add(inner, diag_embed(gs));
  if (is_complex && gu.defined() && gvh.defined()) {
    inner = add(inner, diag_embed(div(Diagonal(of_u), mul(s, 2))));
  }
  Tensor left = matmul(u, inner);  // what Vh multiplies
  if (m > k && gu.defined()) {     // the part of gU outside of U's columns
    const Tensor scaled = div(gu, unsqueeze(s, -2));
    left = add(left, sub(scaled, matmul(u, matmul(mH(u), scaled))));
  }
  Tensor ga = matmul(left, vh);
  if (n > k && gvh.defined()) {
    const Tensor scaled = div(gvh, unsqueeze(s, -1));
    ga = add(ga, matmul(u, sub(scaled, matmul(matmul(scaled, mH(vh)), vh))));
  }
  return ga;
}
const Gradient svd_grad{"_linalg_svd", For("A", SvdA)};

std::tuple<Tensor, Tensor, Tensor> Svd(const Tensor& a, bool full_matrices,
                                       Optional<std::string_view> driver) {
  return _linalg_svd(a, full_matrices, true, driver);
}
const Decomposition svd_parts{"linalg_svd", Svd};
Tensor Svdvals(const Tensor& a, Optional<std::string_view> driver) {
  return std::get<1>(_linalg_svd(a, false, true, driver));
}
const Decomposition svdvals_parts{"linalg_svdvals", Svdvals};

// The old form; without the vectors they are zeros, and only the values have a gradient.
std::tuple<Tensor, Tensor, Tensor> OldSvd(const Tensor& self, bool some, bool compute_uv) {
  const auto [u, s, vh] = _linalg_svd(self, compute_uv && !some, true);
  if (compute_uv) return {u, s, mH(vh)};
  const auto zeros = [&](int64_t n) {
    std::vector<int64_t> sizes(self.sizes().begin(), self.sizes().end());
    sizes[sizes.size() - 2] = sizes[sizes.size() - 1] = n;
    return new_zeros(self, sizes);
  };
  return {zeros(self.size(-2)), s, zeros(self.size(-1))};
}
const Decomposition old_svd_parts{"svd", OldSvd};

}  // namespace
}  // namespace sy
