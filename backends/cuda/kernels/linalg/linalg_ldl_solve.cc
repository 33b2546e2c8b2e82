// Equations by the factors L D L^T, by cuSOLVER's sytrs; by those of Hermitian matrices of complex
// numbers, L D L^H, which it has not, by device/ldl.h.

#include <vector>

#include "backends/cuda/device/matrix_args.h"
#include "backends/cuda/engine/dense.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/kernels/linalg/matrices.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

void SolveHermitian(Call call, const Tensor& factors, const Tensor& pivots, const Tensor& x,
                    const std::vector<int64_t>& which) {
  const Tensor places = Tensor::Empty({x.size(0)}, DType::kInt32);
  for (size_t i = 0; i < which.size(); ++i) places.data<int>()[i] = LibrarySize(call, which[i]);
  const Tensor there = FromHost(places, x.device());
  LdlArgs args{};
  args.batch = x.size(0);
  args.n = x.size(1);
  args.columns = x.size(2);
  args.a = factors.data();
  args.pivots = pivots.data<int>();
  args.which = there.data<int>();
  args.b = x.data();
  Launch(call, Specialised("ldl", "LdlArgs", "SolveHermitian").Element(x.dtype()),
         BlocksFor(args.batch * args.columns), args);
}

void SolveSymmetric(Call call, const Tensor& factors, const Tensor& given, const Tensor& x,
                    const std::vector<int64_t>& which) {
  const Tensor pivots = Batched(call, Dense(call, given, DType::kInt64), 1),
               info = NoDefects(call, x);
  const int64_t n = x.size(1), columns = x.size(2);
  const cudaDataType_t type = LibraryType(x.dtype());
  const Solver solver(call.op(), StreamOf(call.key));
  for (int64_t i = 0; i < x.size(0); ++i) {
    const void* const a = MatrixAt(factors, which[i]);
    const auto* const rows = static_cast<const int64_t*>(MatrixAt(pivots, which[i]));
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return solver.lib().Xsytrs_bufferSize(solver.handle(), CUBLAS_FILL_MODE_LOWER, n, columns,
                                                type, a, n, rows, type, MatrixAt(x, i), n,
                                                on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return solver.lib().Xsytrs(solver.handle(), CUBLAS_FILL_MODE_LOWER, n, columns, type, a,
                                     n, rows, type, MatrixAt(x, i), n, room.on_device,
                                     room.device_bytes, room.on_host, room.host_bytes,
                                     InfoAt(info, i));
        });
  }
}

void Solve(Call call, const Tensor& out, const Tensor& ld, const Tensor& pivots, const Tensor& b,
           bool hermitian) {
  if (out.numel() == 0) return;
  const Tensor rows = Dense(call, pivots, DType::kInt32);
  const Tensor there = ToHost(rows);
  RequireBlockPivots(call, {there.data<int>(), static_cast<size_t>(there.numel())},
                     pivots.size(-1));
  const Tensor factors = CopyByColumns(call, ld),
               x = CopyByColumns(call, BatchedExpanded(call, b, out.sizes(), 2));
  const std::vector<int64_t> which = ExpandedMatrices(ld, BatchOf(out));
  if (hermitian && IsComplex(b.dtype())) {
    SolveHermitian(call, factors, rows, x, which);
  } else {
    SolveSymmetric(call, factors, rows, x, which);
  }
  Store(call, out, x);
}
const Kernel linalg_ldl_solve{"linalg_ldl_solve", "cuda", kMatrixTypes, Solve};

}  // namespace
}  // namespace sy::cuda
