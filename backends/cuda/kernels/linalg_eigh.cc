// Eigenvalues of Hermitian matrices by cuSOLVER's syevd. Nothing is written to the outputs until
// all matrices have converged.
#include "backends/cuda/kernels/arrange.h"
#include "backends/cuda/kernels/matrices.h"
#include "backends/cuda/kernels/pointwise.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

void EighParts(Call call, const Tensor& out_values, const Tensor& out_vectors, const Tensor& self,
               std::string_view uplo, bool compute_v) {
  if (self.numel() == 0) return;
  const bool upper = uplo == "U" || uplo == "u";
  const Tensor a = CopyByColumns(call, self), info = NoDefects(call, a);
  CopyTriangle(call, a, a, upper, 0);  // whether the other one holds NaN does not matter
  const int64_t n = self.size(-1);
  const Tensor values = Tensor::Empty({a.size(0), n}, out_values.dtype(), self.device());
  const cudaDataType_t type = LibraryType(self.dtype()), real = LibraryType(values.dtype());
  const cusolverEigMode_t job = compute_v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR;
  const cublasFillMode_t triangle = upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER;
  const Solver solver(call.op(), StreamOf(call.key));
  RequireNumbers(call, a);
  for (int64_t i = 0; i < a.size(0); ++i) {
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return solver.lib().Xsyevd_bufferSize(solver.handle(), solver.params(), job, triangle, n,
                                                type, MatrixAt(a, i), n, real, MatrixAt(values, i),
                                                type, on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return solver.lib().Xsyevd(solver.handle(), solver.params(), job, triangle, n, type,
                                     MatrixAt(a, i), n, real, MatrixAt(values, i), type,
                                     room.on_device, room.device_bytes, room.on_host,
                                     room.host_bytes, InfoAt(info, i));
        });
  }
  if (const int64_t i = FirstSet(info); i >= 0)
    FailConverge(call, i, "its off-diagonal elements did not become 0");
  Store(call, out_values, values);
  if (compute_v) Store(call, out_vectors, a);
}

void Eigh(Call call, const Tensor& values, const Tensor& vectors, const Tensor& self,
          std::string_view uplo) {
  EighParts(call, values, vectors, self, uplo, true);
}

const Kernel linalg_eigh{"linalg_eigh", "cuda", kMatrixTypes, Eigh};
const Kernel linalg_eigh_parts{"_linalg_eigh", "cuda", kMatrixTypes, EighParts};

}  // namespace
}  // namespace sy::cuda
