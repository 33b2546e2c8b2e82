// Factors P L U by cuSOLVER's getrf, and equations by getrs. X A = B is A^H X^H = B^H, and X^H is
// by columns what the conjugate of X is by rows. The library counts rows in 64 bits.
#include <algorithm>

#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/matrices.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

// pivot: true, says the rule.
void Factor(Call call, const Tensor& out_lu, const Tensor& out_pivots, const Tensor& out_info,
            const Tensor& a, bool /*pivot*/, bool check_errors) {
  if (a.numel() == 0) return FillElements(call, out_info, Scalar(0));
  const Tensor lu = CopyByColumns(call, a), info = NoDefects(call, lu);
  const int64_t m = a.size(-2), n = a.size(-1);
  const Tensor rows = Tensor::Empty({lu.size(0), std::min(m, n)}, DType::kInt64, a.device());
  const cudaDataType_t type = LibraryType(a.dtype());
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
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  Store(call, out_lu, lu);
  Store(call, out_pivots, rows);
  Store(call, out_info, info);
}
const Kernel linalg_lu_factor_ex{"linalg_lu_factor_ex", "cuda", kMatrixTypes, Factor};

void Solve(Call call, const Tensor& out, const Tensor& lu, const Tensor& pivots, const Tensor& b,
           bool left, bool adjoint) {
  if (out.numel() == 0) return;
  const DType d = b.dtype();
  const Tensor given = Dense(call, pivots, DType::kInt32), seen = ToHost(given);
  RequirePivots(call.op(), "pivots", {seen.data<int>(), static_cast<size_t>(seen.numel())},
                pivots.size(-1));  // the library would write wherever they point
  const Tensor factors = CopyByColumns(call, lu),
               rows = Batched(call, Dense(call, given, DType::kInt64), 1);
  const bool conjugates = !left && IsComplex(d);
  const Tensor right = BatchedExpanded(call, b, out.sizes());
  const Tensor x = Room(right, right.size(0), b.size(-2), b.size(-1), /*by_rows=*/!left);
  Store(call, x, right, conjugates);
  const std::vector<int64_t> which = ExpandedMatrices(lu, BatchOf(out));
  const int64_t n = lu.size(-1), columns = b.size(left ? -1 : -2);
  const cublasOperation_t trans = adjoint != left ? CUBLAS_OP_N
                                  : IsComplex(d)  ? CUBLAS_OP_C
                                                  : CUBLAS_OP_T;
  const cudaDataType_t type = LibraryType(d);
  const Tensor info = NoDefects(call, x);
  const Solver solver(call.op(), StreamOf(call.key));
  for (int64_t i = 0; i < x.size(0); ++i) {
    solver.Queued(solver.lib().Xgetrs(solver.handle(), solver.params(), trans, n, columns, type,
                                      MatrixAt(factors, which[i]), n,
                                      static_cast<const int64_t*>(MatrixAt(rows, which[i])), type,
                                      MatrixAt(x, i), n, InfoAt(info, i)));
  }
  Store(call, out, x, conjugates);
}
const Kernel linalg_lu_solve{"linalg_lu_solve", "cuda", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cuda
