// Triangular equations by cuBLAS's trsm.
#include "backends/cuda/kernels/matrices.h"
#include "backends/cuda/kernels/pointwise.h"

namespace sy::cuda {
namespace {

void Solve(Call call, const Tensor& out, const Tensor& self, const Tensor& b, bool upper, bool left,
           bool unitriangular) {
  if (out.numel() == 0) return;
  const Tensor a = CopyByColumns(call, self), right = BatchedExpanded(call, b, out.sizes());
  const Tensor x = CopyByColumns(call, right);
  const std::vector<int64_t> which = ExpandedMatrices(self, BatchOf(out));
  const int m = LibrarySize(call, b.size(-2)), n = LibrarySize(call, b.size(-1)), k = left ? m : n;
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(b.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    const typename decltype(tag)::type one(1);
    for (int64_t i = 0; i < x.size(0); ++i) {
      solver.Queued((solver.lib().blas.*T::trsm)(
          solver.blas(), left ? CUBLAS_SIDE_LEFT : CUBLAS_SIDE_RIGHT,
          upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
          unitriangular ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, m, n,
          reinterpret_cast<const Number*>(&one), static_cast<const Number*>(MatrixAt(a, which[i])),
          k, static_cast<Number*>(MatrixAt(x, i)), m));
    }
  });
  Store(call, out, x);
}

const Kernel linalg_solve_triangular{"linalg_solve_triangular", "cuda", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cuda
