// Gradients of products of reflections, Q = H(0) … H(k-1), H(i) = I - tau(i) v(i) v(i)ᴴ, v(i) the
// i-th column of a matrix below its diagonal, with 1 on it.
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

struct ReflectionGradients {
  Tensor vectors, tau, x;
};

// Of Y = Q X, or Qᴴ X. The products on the way are made anew, and followed back.
ReflectionGradients Reflect(const Tensor& g, const Tensor& vectors, const Tensor& tau,
                            const Tensor& x, bool adjoint) {
  const int64_t k = tau.size(-1);
  const Tensor below = tril(vectors, -1);
  const Tensor ones =
      eye(vectors.size(-2), vectors.size(-1), vectors.dtype(), std::nullopt, vectors.device());
  const auto column = [&](int64_t i) {
    return add(narrow(below, -1, i, 1), narrow(ones, -1, i, 1));
  };
  const auto factor = [&](int64_t i) {
    const Tensor t = unsqueeze(narrow(tau, -1, i, 1), -1);
    return adjoint ? conj(t) : t;
  };
  const auto apply = [](const Tensor& t, const Tensor& v, const Tensor& y) {
    return sub(y, mul(t, matmul(v, matmul(mH(v), y))));
  };
  // The step-th reflection that X meets.
  const auto which = [&](int64_t step) { return adjoint ? step : k - 1 - step; };
  std::vector<Tensor> before;
  Tensor y = x;
  for (int64_t step = 0; step < k; ++step) {
    before.push_back(y);
    y = apply(factor(which(step)), column(which(step)), y);
  }
  std::vector<Tensor> of_columns(static_cast<size_t>(k)), of_tau(static_cast<size_t>(k));
  Tensor gy = g;
  for (int64_t step = k - 1; step >= 0; --step) {
    const int64_t i = which(step);
    const Tensor v = column(i), t = factor(i), &xi = before[static_cast<size_t>(step)];
    const Tensor vx = matmul(mH(v), xi), vg = matmul(mH(v), gy);  // rows
    const Tensor gt = neg(sum(mul(vg, conj(vx)), -1));            // [.., 1]
    of_tau[static_cast<size_t>(i)] = adjoint ? conj(gt) : gt;
    of_columns[static_cast<size_t>(i)] =
        neg(add(mul(conj(t), matmul(gy, mH(vx))), mul(t, matmul(xi, mH(vg)))));
    gy = apply(conj(t), v, gy);
  }
  ReflectionGradients found;
  found.x = gy;
  if (k == 0) return {zeros_like(vectors), zeros_like(tau), gy};
  found.tau = cat(of_tau, -1);
  if (vectors.size(-1) > k) {
    of_columns.push_back(zeros_like(narrow(vectors, -1, k, vectors.size(-1) - k)));
  }
  found.vectors = tril(cat(of_columns, -1), -1);
  return found;
}

void HouseholderGrad(const Grad& g, const Tensor& input, const Tensor& tau, Gradients& out) {
  const Tensor first =
      eye(input.size(-2), input.size(-1), input.dtype(), std::nullopt, input.device());
  const ReflectionGradients found = Reflect(g, input, tau, first, false);
  out.Set(0, found.vectors);
  out.Set(1, found.tau);
}
const Gradient householder_grad{"linalg_householder_product",
                                ForAll({"input", "tau"}, HouseholderGrad)};
const Gradient orgqr_grad{"orgqr", ForAll({"self", "input2"}, HouseholderGrad)};

// X Q is (Qᴴ Xᴴ)ᴴ.
void OrmqrGrad(const Grad& g, const Tensor& self, const Tensor& tau, const Tensor& x, bool left,
               bool transposed, Gradients& out) {
  const ReflectionGradients found =
      left ? Reflect(g, self, tau, x, transposed) : Reflect(mH(g), self, tau, mH(x), !transposed);
  out.Set(0, found.vectors);
  out.Set(1, found.tau);
  out.Set(2, left ? found.x : mH(found.x));
}
const Gradient ormqr_grad{"ormqr", ForAll({"self", "input2", "input3"}, OrmqrGrad)};

}  // namespace
}  // namespace sy
