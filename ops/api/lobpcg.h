// A few of the largest or smallest eigenvalues of a symmetric matrix, and their vectors, by
// products with it: for matrices so large that linalg_eigh takes too long.
//
//   auto [E, X] = sy::lobpcg(A, 2);                                  // A X = X diag(E)
//   auto [E, X] = sy::lobpcg(A, {.k = 2, .B = B, .largest = false});  // A X = B X diag(E)
//
// No operator, as in PyTorch: made of matmul and linalg_eigh of small matrices, and started by
// randn of the default generator where no X is given. What is orthogonal to it is not found.
// Owns: nothing. Threads: any.
// Errors: kInvalidArgument as the function says; those of the operators that are called, such as
// linalg_eigh's for a B that is not positive definite.
// Source: A. V. Knyazev, Toward the Optimal Preconditioned Eigensolver, SIAM J. Sci. Comput. 23
// (2001); the basis is made orthonormal as in A. Stathopoulos, K. Wu, A Block Orthogonalization
// Procedure with Constant Synchronization Requirements, SIAM J. Sci. Comput. 23 (2002).
#ifndef SWITCHYARD_OPS_API_LOBPCG_H_
#define SWITCHYARD_OPS_API_LOBPCG_H_

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "switchyard/core/dtype_info.h"
#include "switchyard/core/error.h"
#include "switchyard/core/optional.h"
#include "switchyard/ops.h"

namespace sy {

// PyTorch's arguments but for method, tracker and ortho_*params, which choose among ways to the
// same result.
struct LobpcgOptions {
  Optional<int64_t> k = std::nullopt;  // how many; without one, X's columns, or 1
  Tensor B = {};                       // [.., m, m], positive definite; without one, the identity
  Tensor X = {};                       // [.., m, n]: where to begin
  Optional<int64_t> n = std::nullopt;  // how many are iterated with, at least k: without one, k
  Tensor iK = {};                      // [.., m, m], about A's inverse
  int64_t niter = -1;                  // steps at most; below 0: until all are found
  Optional<double> tol =
      std::nullopt;     // of residuals; without one, the root of the dtype's epsilon
  bool largest = true;  // the largest eigenvalues, descending; or the smallest ones
};

namespace internal {

// Of one matrix.
class Lobpcg {
 public:
  Lobpcg(const Tensor& A, const Tensor& B, const Tensor& iK, const LobpcgOptions& o, int64_t k)
      : A_(A), B_(B), iK_(iK), options_(o), k_(k), eps_(finfo(A.dtype()).eps) {}

  std::tuple<Tensor, Tensor> Run(const Tensor& start) const {
    const int64_t n = start.size(-1);
    const double size = NormOf(start);
    const double of_a = NormOf(matmul(A_, start)) / size;
    const double of_b = B_.defined() ? NormOf(matmul(B_, start)) / size : 1;
    const double tol = options_.tol.value_or(std::sqrt(eps_));
    Tensor basis = Orthonormal(start), X, P;
    for (int64_t step = 0;; ++step) {
      auto [values, turn] = linalg_eigh(matmul(mT(basis), matmul(A_, basis)));
      if (options_.largest) {
        values = flip(values, {0});
        turn = flip(turn, {1});
      }
      values = narrow(values, 0, 0, std::min(n, values.size(0)));
      const Tensor next = matmul(basis, narrow(turn, 1, 0, values.size(0)));
      if (X.defined()) P = Beside(X, next);
      X = next;
      const Tensor residual = sub(matmul(A_, X), mul(ByB(X), values));
      const Tensor scale = mul(ColumnNorms(X), add(mul(abs(values), of_b), of_a));
      const Tensor error = div(ColumnNorms(residual), scale);
      // Whatever is not a number will not become one.
      const bool found = !any(ge(narrow(error, 0, 0, k_), tol)).template item<bool>();
      if (found || (options_.niter >= 0 && step >= options_.niter))
        return {narrow(values, 0, 0, k_), narrow(X, 1, 0, k_)};
      const Tensor W = Beside(X, iK_.defined() ? matmul(iK_, residual) : residual);
      basis = Orthonormal(P.defined() ? cat({X, P, W}, 1) : cat({X, W}, 1));
      basis = Orthonormal(basis);  // once more, for what the first left
    }
  }

 private:
  static double NormOf(const Tensor& t) { return linalg_vector_norm(t).item<double>(); }
  static Tensor ColumnNorms(const Tensor& t) { return linalg_vector_norm(t, 2, {0}); }
  Tensor ByB(const Tensor& t) const { return B_.defined() ? matmul(B_, t) : t; }
  // What of t is orthogonal to X.
  Tensor Beside(const Tensor& X, const Tensor& t) const {
    return sub(t, matmul(X, matmul(mT(X), ByB(t))));
  }
  // Of the same span, without columns that depend on others; in B's scalar product.
  Tensor Orthonormal(const Tensor& t) const {
    const Tensor gram = matmul(mT(t), ByB(t));
    const Tensor lengths = diagonal(gram);
    const Tensor inverse = where(gt(lengths, 0), rsqrt(lengths), zeros_like(lengths));
    const auto [values, turn] =
        linalg_eigh(mul(mul(gram, unsqueeze(inverse, 1)), unsqueeze(inverse, 0)));
    const int64_t n = values.size(0);
    const Tensor least = mul(values[n - 1], eps_ * static_cast<double>(n));
    const int64_t kept = std::max(k_, sum(gt(values, least)).template item<int64_t>());
    const Tensor roots = rsqrt(narrow(values, 0, n - kept, kept));
    return matmul(mul(t, inverse), mul(narrow(turn, 1, n - kept, kept), roots));
  }

  const Tensor &A_, &B_, &iK_;
  const LobpcgOptions& options_;
  const int64_t k_;
  const double eps_;
};

}  // namespace internal

// A: [.., m, m], symmetric, real   →   E: [.., k]; X: [.., m, k]
// Errors: kInvalidArgument unless A is square and real, B of its sizes, m at least 3 n, k from 1 on
// and at most n.
inline std::tuple<Tensor, Tensor> lobpcg(const Tensor& A, const LobpcgOptions& options = {}) {
  if (A.dim() < 2 || A.size(-1) != A.size(-2) || !IsFloating(A.dtype())) {
    Fail(ErrorCode::kInvalidArgument,
         {"lobpcg(): expected A to be real square matrices, got ", Describe(A)});
  }
  for (const Tensor* t : {&options.B, &options.iK}) {
    if (!t->defined() || SameSizes(t->sizes(), A.sizes())) continue;
    Fail(ErrorCode::kInvalidArgument,
         {"lobpcg(): expected B and iK of A's sizes ", A.sizes(), ", got ", t->sizes()});
  }
  const bool given = options.X.defined();
  if (given && options.X.dim() != A.dim()) {
    Fail(ErrorCode::kInvalidArgument, {"lobpcg(): expected X of as many dimensions as A, ", A.dim(),
                                       ", got ", options.X.sizes()});
  }
  const int64_t m = A.size(-1);
  const int64_t n = given ? options.X.size(-1) : options.n.value_or(options.k.value_or(1));
  const int64_t k = options.k.value_or(n);
  if (k < 1 || k > n || m / 3 < n) {
    Fail(ErrorCode::kInvalidArgument,
         {"lobpcg(): expected k of 1 to n, and at least 3 n rows; got k ", k, ", n ", n, " and ", m,
          " rows"});
  }
  std::vector<int64_t> batch(A.sizes().begin(), A.sizes().end() - 2);
  const auto each = [](const Tensor& t) {
    return t.defined() ? reshape(t, {-1, t.size(-2), t.size(-1)}) : t;
  };
  const Tensor all = each(A), b = each(options.B), ik = each(options.iK), starts = each(options.X);
  std::vector<Tensor> values, vectors;
  for (int64_t i = 0; i < all.size(0); ++i) {
    const auto at = [i](const Tensor& t) { return t.defined() ? select(t, 0, i) : t; };
    const Tensor one = at(all), its_b = at(b), its_ik = at(ik);
    const Tensor start =
        given ? at(starts) : randn({m, n}, {.dtype = A.dtype(), .device = A.device()});
    auto [E, X] = internal::Lobpcg(one, its_b, its_ik, options, k).Run(start);
    values.push_back(E);
    vectors.push_back(X);
  }
  if (batch.empty()) return {values[0], vectors[0]};
  std::vector<int64_t> of_values = batch, of_vectors = batch;
  of_values.push_back(k);
  of_vectors.insert(of_vectors.end(), {m, k});
  if (values.empty()) return {new_empty(A, of_values), new_empty(A, of_vectors)};
  return {reshape(stack(values), of_values), reshape(stack(vectors), of_vectors)};
}
inline std::tuple<Tensor, Tensor> lobpcg(const Tensor& A, int64_t k) {
  return lobpcg(A, LobpcgOptions{.k = k});
}

}  // namespace sy

#endif  // SWITCHYARD_OPS_API_LOBPCG_H_
