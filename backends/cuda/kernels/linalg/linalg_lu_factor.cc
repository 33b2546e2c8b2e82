// Factors P L U by cuSOLVER's getrf, which counts rows in 64 bits, or cuBLAS's getrfBatched, in 32.

#include <algorithm>

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/kernels/linalg/batched.h"

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
void FactorBatched(Call call, const Tensor& lu, const Tensor& rows, const Tensor& info) {
  const Tensor at = Addresses(call, lu);
  const int n = LibrarySize(call, lu.size(-1));
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(lu.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    ByParts(lu.size(0), [&](int64_t first, int count) {
      solver.Queue(solver.lib().blas.*T::getrf_batched, solver.blas(), n,
                   AddressAt<typename T::Number>(at, first), n,
                   static_cast<int*>(MatrixAt(rows, first)), InfoAt(info, first), count);
    });
  });
}

// pivot: true, says the shape function.
void Factor(Call call, const Tensor& out_lu, const Tensor& out_pivots, const Tensor& out_info,
            const Tensor& a, bool /*pivot*/, bool check_errors) {
  if (a.numel() == 0) return FillElements(call, out_info, Scalar(0));
  const Tensor lu = CopyByColumns(call, a), info = NoDefects(call, lu);
  const int64_t m = a.size(-2), n = a.size(-1);
  const bool batched = m == n && UseBatched(lu, n);
  const Tensor rows = Tensor::Empty({lu.size(0), std::min(m, n)},
                                    batched ? DType::kInt32 : DType::kInt64, a.device());
  (batched ? FactorBatched : FactorEach)(call, lu, rows, info);
  if (check_errors) RequireNoDefect(call.op(), "A", Defect::kSingular, info);
  Store(call, out_lu, lu);
  Store(call, out_pivots, rows);
  Store(call, out_info, info);
}
const Kernel linalg_lu_factor_ex{"linalg_lu_factor_ex", "cuda", kMatrixTypes, Factor};

}  // namespace
}  // namespace sy::cuda
