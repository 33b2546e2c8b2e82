// Cholesky's factors by cuSOLVER's potrf and potrfBatched.
#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/engine/triangle.h"
#include "backends/cuda/kernels/linalg/batched.h"

namespace sy::cuda {
namespace {

void FactorEach(Call call, const Tensor& l, const Tensor& info, cublasFillMode_t uplo) {
  const int64_t n = l.size(-1);
  const cudaDataType_t type = LibraryType(l.dtype());
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
}

void FactorBatched(Call call, const Tensor& l, const Tensor& info, cublasFillMode_t uplo) {
  const Tensor at = Addresses(call, l);
  const int n = LibrarySize(call, l.size(-1));
  const Solver solver(call.op(), StreamOf(call.key));
  VisitDType<kMatrixTypes>(l.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    ByParts(l.size(0), [&](int64_t first, int count) {
      solver.Queue(solver.lib().*T::potrf_batched, solver.handle(), uplo, n,
                   AddressAt<typename T::Number>(at, first), n, InfoAt(info, first), count);
    });
  });
}

// The library is free to leave anything in the other triangle.
void Cholesky(Call call, const Tensor& out_l, const Tensor& out_info, const Tensor& self,
              bool upper, bool check_errors) {
  if (self.numel() == 0) return FillElements(call, out_info, Scalar(0));
  const Tensor l = CopyByColumns(call, self), info = NoDefects(call, l);
  const bool batched = UseBatched(l, l.size(-1));
  (batched ? FactorBatched : FactorEach)(call, l, info,
                                         upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER);
  if (check_errors) RequireNoDefect(call.op(), "self", Defect::kNotPositiveDefinite, info);
  CopyTriangle(call, l, l, upper, 0);
  Store(call, out_l, l);
  Store(call, out_info, info);
}

const Kernel linalg_cholesky_ex{"linalg_cholesky_ex", "cuda", kMatrixTypes, Cholesky};

}  // namespace
}  // namespace sy::cuda
