// The largest singular values of a matrix, and principal components, from a product with a few
// random columns instead of the whole decomposition.
//
//   auto [U, S, V] = sy::svd_lowrank(A, 6);      // A is about U diag(S) V^H
//   auto [U, S, V] = sy::pca_lowrank(A);         // of A without its columns' means
//
// No operators, as in PyTorch: made of randn, linalg_qr and linalg_svd, with the default generator,
// so that equal seeds give equal results, and those of PyTorch. Included by switchyard/ops.h's
// users who want it. Owns: nothing. Threads: any.
// Errors: those of the operators that are called, and as each function says.
// Source: N. Halko, P. G. Martinsson, J. A. Tropp, Finding Structure with Randomness, SIAM Review
// 53 (2011), algorithms 4.4 and 5.1.
#ifndef SWITCHYARD_OPS_API_LOWRANK_H_
#define SWITCHYARD_OPS_API_LOWRANK_H_

#include <algorithm>
#include <string_view>
#include <tuple>
#include <utility>

#include "switchyard/core/error.h"
#include "switchyard/core/optional.h"
#include "switchyard/ops.h"

namespace sy {
namespace internal {

inline void RequireMatrices(std::string_view op, const Tensor& A) {
  if (A.dim() >= 2) return;
  Fail(ErrorCode::kInvalidArgument, {op, "(): expected matrices, got sizes ", A.sizes()});
}

// q orthonormal columns, which span about what A's most important columns do.
inline Tensor RandomBasis(const Tensor& A, int64_t q, int64_t niter) {
  const Tensor start = randn({A.size(-1), q}, {.dtype = A.dtype(), .device = A.device()});
  const Tensor adjoint = mH(A);
  Tensor Q = std::get<0>(linalg_qr(matmul(A, start)));
  for (int64_t i = 0; i < niter; ++i) {
    Q = std::get<0>(linalg_qr(matmul(adjoint, Q)));
    Q = std::get<0>(linalg_qr(matmul(A, Q)));
  }
  return Q;
}

}  // namespace internal

// Of A, or of A - M, by niter steps of subspace iteration; q is a little more than the rank that is
// looked for.
//   A: [.., m, n], floating or complex; M: sizes that broadcast to A's   →   U: [.., m, k], S: [..,
//   k], V: [.., n, k], for the least k of q, m and n
// Errors: kInvalidArgument for fewer than two dimensions, and a q below 0.
inline std::tuple<Tensor, Tensor, Tensor> svd_lowrank(const Tensor& A, int64_t q = 6,
                                                      int64_t niter = 2,
                                                      const Tensor& M = Tensor()) {
  internal::RequireMatrices("svd_lowrank", A);
  Tensor a = M.defined() ? sub(A, broadcast_to(M, A.sizes())) : A;
  const bool wide = A.size(-2) < A.size(-1);
  if (wide) a = mH(a);
  const Tensor Q = internal::RandomBasis(a, q, niter);
  auto [U, S, Vh] = linalg_svd(matmul(mH(Q), a), false);
  U = matmul(Q, U);
  Tensor V = mH(Vh);
  if (wide) std::swap(U, V);
  return {U, S, V};
}

// Of A without the mean of each column, where `center` is set: the columns of V are A's principal
// directions.
//   A: [.., m, n]; q: 0 to the least of m and n; without it, that or 6 where it is more
//   →   as svd_lowrank
// Errors: kInvalidArgument for fewer than two dimensions, another q, and niter below 0.
inline std::tuple<Tensor, Tensor, Tensor> pca_lowrank(const Tensor& A,
                                                      Optional<int64_t> q = std::nullopt,
                                                      bool center = true, int64_t niter = 2) {
  internal::RequireMatrices("pca_lowrank", A);
  const int64_t most = std::min(A.size(-2), A.size(-1));
  const int64_t columns = q.value_or(std::min<int64_t>(6, most));
  if (columns < 0 || columns > most) {
    Fail(ErrorCode::kInvalidArgument, {"pca_lowrank(): expected q to be 0 to ", most,
                                       ", the least size of ", A.sizes(), "; got ", columns});
  }
  if (niter < 0) {
    Fail(ErrorCode::kInvalidArgument,
         {"pca_lowrank(): expected niter to be at least 0, got ", niter});
  }
  return svd_lowrank(center ? sub(A, mean(A, {-2}, true)) : A, columns, niter);
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_LOWRANK_H_
