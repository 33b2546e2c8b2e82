// Cholesky's factors by cuSOLVER's potrf.
#include "backends/cuda/kernels/arrange.h"
#include "backends/cuda/kernels/matrices.h"
#include "backends/cuda/kernels/pointwise.h"

namespace sy::cuda {
namespace {

void Cholesky(Call call, const Tensor& out_l, const Tensor& out_info, const Tensor& self,
              bool upper, bool check_errors) {
  if (self.numel() == 0) return FillElements(call, out_info, Scalar(0));
  const Tensor l = CopyByColumns(call, self), info = NoDefects(call, l);
  const int64_t n = self.size(-1);
  const cudaDataType_t type = LibraryType(self.dtype());
  const cublasFillMode_t uplo = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  const Solver solver(call.op(), StreamOf(call.key));
  for (int64_t i = 0; i < l.size(0); ++i) {
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return solver.lib().Xpotrf_bufferSize(solver.handle(), solver.params(), uplo, n, type,
                                                MatrixAt(l, i), n, type, on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return solver.lib().Xpotrf(solver.handle(), solver.params(), uplo, n, type,
                                     MatrixAt(l, i), n, type, room.on_device, room.device_bytes,
                                     room.on_host, room.host_bytes, InfoAt(info, i));
        });
  }
  if (check_errors) RequireNoDefect(call.op(), "self", Defect::kNotPositiveDefinite, info);
  CopyTriangle(call, l, l, upper, 0);
  Store(call, out_l, l);
  Store(call, out_info, info);
}

const Kernel linalg_cholesky_ex{"linalg_cholesky_ex", "cuda", kMatrixTypes, Cholesky};

}  // namespace
}  // namespace sy::cuda
