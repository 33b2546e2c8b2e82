// Equations by cuSOLVER's getrs, which counts rows in 64 bits, or cuBLAS's getrsBatched, in 32.
// X A = B is A^H X^H = B^H, and X^H is by columns what the conjugate of X is by rows.

#include <vector>

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/linalg/batched.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

// op(A) X = B by A's factors: x, [batch, .., ..], whose memory is columns of n rows.
struct Equations {
  cublasOperation_t op;
  const Tensor& lu;      // [.., n, n]
  const Tensor& pivots;  // int32, row-major: [.., n]
  const Tensor& x;
  int64_t columns;
  IntSpan batch;  // of x
};

void SolveEach(Call call, const Equations& e) {
  const Tensor factors = CopyByColumns(call, e.lu),
               rows = Batched(call, Dense(call, e.pivots, DType::kInt64), 1),
               info = NoDefects(call, e.x);
  const std::vector<int64_t> which = ExpandedMatrices(e.lu, e.batch);
  const int64_t n = e.lu.size(-1);
  const cudaDataType_t type = LibraryType(e.x.dtype());
  const Solver solver(call.op(), StreamOf(call.key));
  for (int64_t i = 0; i < e.x.size(0); ++i) {
    solver.Queue(solver.lib().Xgetrs, solver.handle(), solver.params(), e.op, n, e.columns, type,
                 MatrixAt(factors, which[i]), n,
                 static_cast<const int64_t*>(MatrixAt(rows, which[i])), type, MatrixAt(e.x, i), n,
                 InfoAt(info, i));
  }
}
void SolveBatched(Call call, const Equations& e) {
  const int n = LibrarySize(call, e.lu.size(-1)), columns = LibrarySize(call, e.columns);
  std::vector<int64_t> sizes(e.batch.begin(), e.batch.end());
  sizes.push_back(n);
  const Tensor factors = CopyByColumns(call, e.lu),
               rows = BatchedExpanded(call, e.pivots, sizes, 1),
               a_at = ExpandedAddresses(call, factors, BatchOf(e.lu), e.batch),
               x_at = Addresses(call, e.x);
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(e.x.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    ByParts(e.x.size(0), [&](int64_t first, int count) {
      int wrong_argument = 0;  // the host's, and known at once
      solver.Queue(solver.lib().blas.*T::getrs_batched, solver.blas(), e.op, n, columns,
                   AddressAt<Number>(a_at, first), n,
                   static_cast<const int*>(MatrixAt(rows, first)), AddressAt<Number>(x_at, first),
                   n, &wrong_argument, count);
    });
  });
}

void Solve(Call call, const Tensor& out, const Tensor& lu, const Tensor& pivots, const Tensor& b,
           bool left, bool adjoint) {
  if (out.numel() == 0) return;
  const Tensor given = Dense(call, pivots, DType::kInt32), seen = ToHost(given);
  RequirePivots(call.op(), "pivots", {seen.data<int>(), static_cast<size_t>(seen.numel())},
                pivots.size(-1));  // the library would write wherever they point
  const bool complex = IsComplex(b.dtype()), conjugates = !left && complex;
  const Tensor right = BatchedExpanded(call, b, out.sizes(), 2);
  const Tensor x = Room(right, right.size(0), b.size(-2), b.size(-1), /*by_rows=*/!left);
  Store(call, x, right, conjugates);
  const cublasOperation_t op = adjoint != left ? CUBLAS_OP_N : complex ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool batched = UseBatched(x, lu.size(-1));
  (batched ? SolveBatched : SolveEach)(call,
                                       {op, lu, given, x, b.size(left ? -1 : -2), BatchOf(out)});
  Store(call, out, x, conjugates);
}
const Kernel linalg_lu_solve{"linalg_lu_solve", "cuda", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cuda
