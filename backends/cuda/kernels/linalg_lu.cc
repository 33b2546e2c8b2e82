// Factors P L U by cuSOLVER's getrf, which counts rows in 64 bits, or cuBLAS's getrfBatched, in 32;
// equations by getrs and getrsBatched. X A = B is A^H X^H = B^H, and X^H is by columns what the
// conjugate of X is by rows.
#include <algorithm>

#include "backends/cuda/kernels/at_once.h"
#include "backends/cuda/kernels/dense.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

// rows: int64
void FactorEach(Call call, const Tensor& lu, const Tensor& rows, const Tensor& info) {
  const int64_t m = lu.size(1), n = lu.size(2);
  const cudaDataType_t type = LibraryType(lu.dtype());
  const Solver solver(call.op(), StreamOf(call.key));
  for (int64_t i = 0; i < lu.size(0); ++i) {
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return solver.lib().Xgetrf_bufferSize(solver.handle(), solver.params(), m, n, type,
                                                MatrixAt(lu, i), m, type, on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return solver.lib().Xgetrf(solver.handle(), solver.params(), m, n, type, MatrixAt(lu, i),
                                     m, static_cast<int64_t*>(MatrixAt(rows, i)), type,
                                     room.on_device, room.device_bytes, room.on_host,
                                     room.host_bytes, InfoAt(info, i));
        });
  }
}
// lu: square ones; rows: int32
void FactorAtOnce(Call call, const Tensor& lu, const Tensor& rows, const Tensor& info) {
  const Tensor at = Addresses(call, lu);
  const int n = LibrarySize(call, lu.size(-1));
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(lu.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    ByParts(lu.size(0), [&](int64_t first, int count) {
      solver.Queued((solver.lib().blas.*T::getrf_batched)(
          solver.blas(), n, AddressAt<typename T::Number>(at, first), n,
          static_cast<int*>(MatrixAt(rows, first)), InfoAt(info, first), count));
    });
  });
}

// pivot: true, says the rule.
void Factor(Call call, const Tensor& out_lu, const Tensor& out_pivots, const Tensor& out_info,
            const Tensor& a, bool /*pivot*/, bool check_errors) {
  if (a.numel() == 0) return FillElements(call, out_info, Scalar(0));
  const Tensor lu = CopyByColumns(call, a), info = NoDefects(call, lu);
  const int64_t m = a.size(-2), n = a.size(-1);
  const bool at_once = m == n && AtOnce(lu, n);
  const Tensor rows = Tensor::Empty({lu.size(0), std::min(m, n)},
                                    at_once ? DType::kInt32 : DType::kInt64, a.device());
  (at_once ? FactorAtOnce : FactorEach)(call, lu, rows, info);
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  Store(call, out_lu, lu);
  Store(call, out_pivots, rows);
  Store(call, out_info, info);
}
const Kernel linalg_lu_factor_ex{"linalg_lu_factor_ex", "cuda", kMatrixTypes, Factor};

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
    solver.Queued(solver.lib().Xgetrs(solver.handle(), solver.params(), e.op, n, e.columns, type,
                                      MatrixAt(factors, which[i]), n,
                                      static_cast<const int64_t*>(MatrixAt(rows, which[i])), type,
                                      MatrixAt(e.x, i), n, InfoAt(info, i)));
  }
}
void SolveAtOnce(Call call, const Equations& e) {
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
      solver.Queued((solver.lib().blas.*T::getrs_batched)(
          solver.blas(), e.op, n, columns, AddressAt<Number>(a_at, first), n,
          static_cast<const int*>(MatrixAt(rows, first)), AddressAt<Number>(x_at, first), n,
          &wrong_argument, count));
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
  const bool at_once = AtOnce(x, lu.size(-1));
  (at_once ? SolveAtOnce : SolveEach)(call,
                                      {op, lu, given, x, b.size(left ? -1 : -2), BatchOf(out)});
  Store(call, out, x, conjugates);
}
const Kernel linalg_lu_solve{"linalg_lu_solve", "cuda", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cuda
