// Triangular equations by cuBLAS's trsm and trsmBatched.
#include "backends/cuda/kernels/linalg/batched.h"

namespace sy::cuda {
namespace {

void Solve(Call call, const Tensor& out, const Tensor& self, const Tensor& b, bool upper, bool left,
           bool unitriangular) {
  if (out.numel() == 0) return;
  const Tensor a = CopyByColumns(call, self),
               x = CopyByColumns(call, BatchedExpanded(call, b, out.sizes(), 2));
  const int m = LibrarySize(call, b.size(-2)), n = LibrarySize(call, b.size(-1)), k = left ? m : n;
  const cublasSideMode_t side = left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT;
  const cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  const cublasDiagType_t diagonal = unitriangular ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT;
  const bool batched = UseBatched(x, k);
  Tensor a_at, x_at;
  std::vector<int64_t> which;
  if (batched) {
    a_at = ExpandedAddresses(call, a, BatchOf(self), BatchOf(out));
    x_at = Addresses(call, x);
  } else {
    which = ExpandedMatrices(self, BatchOf(out));
  }
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(b.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    const typename decltype(tag)::type one(1);
    const auto* const alpha = reinterpret_cast<const Number*>(&one);
    const auto& blas = solver.lib().blas;
    if (batched) {
      return ByParts(x.size(0), [&](int64_t first, int count) {
        solver.Queue(blas.*T::trsm_batched, solver.blas(), side, uplo, CUBLAS_OP_N, diagonal, m, n,
                     alpha, AddressAt<Number>(a_at, first), k, AddressAt<Number>(x_at, first), m,
                     count);
      });
    }
    for (int64_t i = 0; i < x.size(0); ++i) {
      solver.Queue(blas.*T::trsm, solver.blas(), side, uplo, CUBLAS_OP_N, diagonal, m, n, alpha,
                   static_cast<const Number*>(MatrixAt(a, which[i])), k,
                   static_cast<Number*>(MatrixAt(x, i)), m);
    }
  });
  Store(call, out, x);
}

const Kernel linalg_solve_triangular{"linalg_solve_triangular", "cuda", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cuda
