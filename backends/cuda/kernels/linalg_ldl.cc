// Factors L D L^T, and equations by them, by cuSOLVER's sytrf and sytrs; those of Hermitian
// matrices of complex numbers, L D L^H, which it has not, by device/ldl.h.
#include "backends/cuda/device/matrix_args.h"
#include "backends/cuda/kernels/arrange.h"
#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/matrices.h"
#include "backends/cuda/kernels/pointwise.h"
#include "backends/cuda/kernels/run.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

constexpr int kHermitianThreads = 256;  // of a block: device/lines.h's kLineThreads

void FactorHermitian(Call call, const Tensor& ld, const Tensor& pivots, const Tensor& info) {
  LdlArgs args{};
  args.batch = ld.size(0);
  args.n = ld.size(-1);
  args.a = ld.data();
  args.pivots = pivots.data<int>();
  args.info = info.data<int>();
  static constexpr DeviceFunction kFactor{"ldl", "LdlArgs", "FactorHermitian"};
  RunDevice(call, kFactor, {ld.dtype()}, {}, {args.batch, kHermitianThreads}, args);
}

void FactorSymmetric(Call call, const Tensor& ld, const Tensor& pivots, const Tensor& info) {
  const int n = LibrarySize(call, ld.size(-1));
  const Solver solver(call.op(), StreamOf(call.key));
  const SolverTable& lib = solver.lib();
  VisitDType<kMatrixTypes>(ld.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    for (int64_t i = 0; i < ld.size(0); ++i) {
      auto* const a = static_cast<Number*>(MatrixAt(ld, i));
      solver.RunTyped<Number>(
          [&](int* count) { return (lib.*T::sytrf_size)(solver.handle(), n, a, n, count); },
          [&](Number* memory, int count) {
            return (lib.*T::sytrf)(solver.handle(), CUBLAS_FILL_MODE_LOWER, n, a, n,
                                   static_cast<int*>(MatrixAt(pivots, i)), memory, count,
                                   InfoAt(info, i));
          });
    }
  });
}

void Factor(Call call, const Tensor& out_ld, const Tensor& out_pivots, const Tensor& out_info,
            const Tensor& self, bool hermitian, bool check_errors) {
  if (self.numel() == 0) return FillElements(call, out_info, Scalar(0));
  const Tensor ld = CopyByColumns(call, self), info = NoDefects(call, ld),
               pivots = Tensor::Empty({ld.size(0), ld.size(-1)}, DType::kInt32, ld.device());
  if (hermitian && IsComplex(ld.dtype())) {
    FactorHermitian(call, ld, pivots, info);
  } else {
    FactorSymmetric(call, ld, pivots, info);
  }
  if (check_errors) RequireNoDefect(call.op(), "self", Defect::kSingular, info);
  CopyTriangle(call, ld, ld, /*upper=*/false, 0);
  Store(call, out_ld, ld);
  Store(call, out_pivots, pivots);
  Store(call, out_info, info);
}
const Kernel linalg_ldl_factor{"linalg_ldl_factor_ex", "cuda", kMatrixTypes, Factor};

// pivots: int32, on the host, n of each matrix. Rows are exchanged with those that they name, and
// both of a pair are looked at.
void RequireBlockPivots(Call call, const Tensor& pivots, int64_t n) {
  const auto names_row = [n](int64_t p) { return p >= 1 && p <= n; };
  const int* const all = pivots.data<int>();
  for (int64_t at = 0; at < pivots.numel(); ++at) {
    if (names_row(all[at])) continue;
    const bool has_next = at % n + 1 < n;
    if (!has_next || !names_row(-all[at]) || !names_row(-all[at + 1])) {
      Fail(ErrorCode::kInvalidValue,
           {call.op(), "(): pivots must be 1 to ", n, ", or a pair of negative ones, got ", all[at],
            " for matrix ", at / n});
    }
    ++at;
  }
}

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
  static constexpr DeviceFunction kSolve{"ldl", "LdlArgs", "SolveHermitian"};
  RunDevice(call, kSolve, {x.dtype()}, {}, BlocksFor(args.batch * args.columns), args);
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
  RequireBlockPivots(call, ToHost(rows), pivots.size(-1));
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
