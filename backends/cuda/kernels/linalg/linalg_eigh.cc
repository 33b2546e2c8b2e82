// Eigenvalues of Hermitian matrices by cuSOLVER's syevd and syevBatched. Nothing is written to the
// outputs until all matrices have converged.
#include "backends/cuda/engine/triangle.h"
#include "backends/cuda/kernels/linalg/batched.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

struct Problem {
  const Tensor& a;       // by columns; where vectors are asked for they take its place
  const Tensor& values;  // [batch, n]
  const Tensor& info;
  cusolverEigMode_t job;
  cublasFillMode_t triangle;
};

void DecomposeEach(const Solver& solver, const Problem& p) {
  const SolverTable& lib = solver.lib();
  const int64_t n = p.a.size(-1);
  const cudaDataType_t type = LibraryType(p.a.dtype()), real = LibraryType(p.values.dtype());
  for (int64_t i = 0; i < p.a.size(0); ++i) {
    void *const a = MatrixAt(p.a, i), *const values = MatrixAt(p.values, i);
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return lib.Xsyevd_bufferSize(solver.handle(), solver.params(), p.job, p.triangle, n, type,
                                       a, n, real, values, type, on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return lib.Xsyevd(solver.handle(), solver.params(), p.job, p.triangle, n, type, a, n,
                            real, values, type, room.on_device, room.device_bytes, room.on_host,
                            room.host_bytes, InfoAt(p.info, i));
        });
  }
}
void DecomposeBatched(const Solver& solver, const Problem& p) {
  const SolverTable& lib = solver.lib();
  const int64_t n = p.a.size(-1);
  const cudaDataType_t type = LibraryType(p.a.dtype());
  ByParts(p.a.size(0), [&](int64_t first, int count) {
    void *const a = MatrixAt(p.a, first), *const values = MatrixAt(p.values, first);
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return lib.XsyevBatched_bufferSize(solver.handle(), solver.params(), p.job, p.triangle, n,
                                             type, a, n, type, values, type, on_device, on_host,
                                             count);
        },
        [&](const Solver::Room& room) {
          return lib.XsyevBatched(solver.handle(), solver.params(), p.job, p.triangle, n, type, a,
                                  n, type, values, type, room.on_device, room.device_bytes,
                                  room.on_host, room.host_bytes, InfoAt(p.info, first), count);
        });
  });
}
// Complex matrices are taken one by one: syevBatched gives wrong vectors, or NaN, for some.
// Sources: github.com/pytorch/pytorch/issues/192483, github.com/jax-ml/jax/issues/32641,
// github.com/JuliaGPU/CUDA.jl/pull/2577.
bool TakesBatched(const Solver& solver, const Tensor& a) {
  return !IsComplex(a.dtype()) && solver.lib().XsyevBatched != nullptr &&
         solver.lib().XsyevBatched_bufferSize != nullptr && UseBatched(a, a.size(-1));
}

void EighParts(Call call, const Tensor& out_values, const Tensor& out_vectors, const Tensor& self,
               std::string_view uplo, bool compute_v) {
  if (self.numel() == 0) return;
  const bool upper = uplo == "U" || uplo == "u";
  const Tensor a = CopyByColumns(call, self), info = NoDefects(call, a);
  CopyTriangle(call, a, a, upper, 0);  // whether the other one holds NaN does not matter
  const Tensor values = Tensor::Empty({a.size(0), a.size(-1)}, out_values.dtype(), self.device());
  const Solver solver(call.op(), StreamOf(call.key));
  RequireNumbers(call, a);
  (TakesBatched(solver, a) ? DecomposeBatched : DecomposeEach)(
      solver, {a, values, info, compute_v ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR,
               upper ? CUBLAS_FILL_MODE_UPPER : CUBLAS_FILL_MODE_LOWER});
  if (const int64_t i = FirstSet(info); i >= 0)
    FailConvergence(call.op(), "A", i, "its off-diagonal elements did not become 0");
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
