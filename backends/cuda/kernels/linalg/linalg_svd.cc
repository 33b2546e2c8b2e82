// Singular values by cuSOLVER's gesvd, which takes matrices by columns that have at least as many
// rows as columns. Of a wide A it is given the conjugate transpose, whose U is V of A: by rows, A's
// conjugate is that already. Batches of small ones go to gesvdjBatched. Nothing is written to the
// outputs until all matrices have converged.

#include <algorithm>
#include <cmath>
#include <complex>

#include "backends/cuda/kernels/linalg/batched.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// What is asked for besides the singular values.
enum class Vectors { kNone, kThin, kFull };

struct Outputs {
  const Tensor &u, &s, &vh;
  Vectors vectors;
};

// By Jacobi's method, all at once. False: not all have converged, and nothing is written.
bool DecomposeBatched(Call call, const Solver& solver, const Outputs& out, const Tensor& a) {
  const int64_t batch = a.size(0);
  const int m = LibrarySize(call, a.size(1)), n = LibrarySize(call, a.size(2));
  const Tensor work = CopyByColumns(call, a), info = NoDefects(call, a),
               s = Tensor::Empty({batch, std::min(m, n)}, RealType(a.dtype()), a.device());
  // The library wants room for all of U and V whether vectors are asked for or not. V by columns is
  // its transpose by rows.
  const Tensor u = Room(a, batch, m, m, /*by_rows=*/false), vt = Room(a, batch, n, n, true);
  const cusolverEigMode_t job =
      out.vectors == Vectors::kNone ? CUSOLVER_EIG_MODE_NOVECTOR : CUSOLVER_EIG_MODE_VECTOR;
  VisitDType<kMatrixTypes>(a.dtype(), [&](auto tag) {
    using T = Typed<typename decltype(tag)::type>;
    using Number = typename T::Number;
    using Real = decltype(std::abs(typename decltype(tag)::type()));
    const SolverTable& lib = solver.lib();
    ByParts(batch, [&](int64_t first, int count) {
      const auto at = [first](const Tensor& t) { return static_cast<Number*>(MatrixAt(t, first)); };
      auto* const values = static_cast<Real*>(MatrixAt(s, first));
      solver.RunTyped<Number>(
          [&](int* numbers) {
            return (lib.*T::gesvdj_size)(solver.handle(), job, m, n, at(work), m, values, at(u), m,
                                         at(vt), n, numbers, solver.jacobi(), count);
          },
          [&](Number* memory, int numbers) {
            return (lib.*T::gesvdj_batched)(solver.handle(), job, m, n, at(work), m, values, at(u),
                                            m, at(vt), n, memory, numbers, InfoAt(info, first),
                                            solver.jacobi(), count);
          });
    });
  });
  if (FirstSet(info) >= 0) return false;
  Store(call, out.s, s);
  if (out.vectors == Vectors::kNone) return true;
  Store(call, out.u, u);  // the first columns that it has room for; of V the first rows
  Store(call, out.vh, vt, /*conjugates=*/IsComplex(a.dtype()));
  return true;
}

void DecomposeEach(Call call, const Solver& solver, const Outputs& out, const Tensor& a) {
  const DType d = a.dtype(), real = RealType(d);
  const int64_t batch = a.sizes()[0], m = a.sizes()[1], n = a.sizes()[2], k = std::min(m, n);
  const bool wide = m < n, conjugates = wide && IsComplex(d), full = out.vectors == Vectors::kFull;
  const Tensor work = Room(a, batch, m, n, wide), s = Tensor::Empty({batch, k}, real, a.device()),
               info = NoDefects(call, a);
  Tensor u, vh;
  if (out.vectors != Vectors::kNone) {
    u = Room(a, batch, m, full ? m : k, wide);
    vh = Room(a, batch, full ? n : k, n, wide);
  }
  Store(call, work, a, conjugates);
  const auto at = [](const Tensor& t, int64_t i) { return t.defined() ? MatrixAt(t, i) : nullptr; };
  // As the library sees it: rows >= columns.
  const int64_t rows = std::max(m, n), columns = k;
  const Tensor &left = wide ? vh : u, &right = wide ? u : vh;
  const auto job = static_cast<signed char>(full ? 'A' : out.vectors == Vectors::kThin ? 'S' : 'N');
  const cudaDataType_t type = LibraryType(d), real_type = LibraryType(real);
  for (int64_t i = 0; i < batch; ++i) {
    solver.Run(
        [&](size_t* on_device, size_t* on_host) {
          return solver.lib().Xgesvd_bufferSize(solver.handle(), solver.params(), job, job, rows,
                                                columns, type, at(work, i), rows, real_type,
                                                at(s, i), type, at(left, i), rows, type,
                                                at(right, i), columns, type, on_device, on_host);
        },
        [&](const Solver::Room& room) {
          return solver.lib().Xgesvd(
              solver.handle(), solver.params(), job, job, rows, columns, type, at(work, i), rows,
              real_type, at(s, i), type, at(left, i), rows, type, at(right, i), columns, type,
              room.on_device, room.device_bytes, room.on_host, room.host_bytes, InfoAt(info, i));
        });
  }
  if (const int64_t i = FirstSet(info); i >= 0)
    FailConvergence(call.op(), "A", i, "its superdiagonals did not become 0");
  Store(call, out.s, s);
  if (out.vectors == Vectors::kNone) return;
  Store(call, out.u, u, conjugates);
  Store(call, out.vh, vh, conjugates);
}

// any_method: not QR's alone.
void Decompose(Call call, const Outputs& out, const Tensor& given, bool any_method) {
  const Tensor a = Batched(call, given, 2);
  const Solver solver(call.op(), StreamOf(call.key));
  RequireNumbers(call, a);
  constexpr int64_t kMostOfJacobi = 32;  // rows, and columns
  const int64_t larger = std::max(a.size(1), a.size(2));
  const bool batched = any_method && larger <= kMostOfJacobi && UseBatched(a, larger);
  if (batched && DecomposeBatched(call, solver, out, a)) return;
  DecomposeEach(call, solver, out, a);
}

void SvdParts(Call call, const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a,
              bool full_matrices, bool compute_uv, std::optional<std::string_view> driver) {
  if (driver && *driver != "gesvd") {
    Fail(ErrorCode::kNotImplemented, call.op(),
         {"driver must be None or 'gesvd' here, got '", *driver, "'"});
  }
  if (a.numel() != 0) {
    const Vectors vectors = !compute_uv     ? Vectors::kNone
                            : full_matrices ? Vectors::kFull
                                            : Vectors::kThin;
    return Decompose(call, {u, s, vh, vectors}, a, /*any_method=*/!driver);
  }
  if (!compute_uv) return;
  SetIdentity(call, u);
  SetIdentity(call, vh);
}
void Svd(Call call, const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a, bool full,
         std::optional<std::string_view> driver) {
  SvdParts(call, u, s, vh, a, full, true, driver);
}

const Kernel linalg_svd{"linalg_svd", "cuda", kMatrixTypes, Svd};
const Kernel linalg_svd_parts{"_linalg_svd", "cuda", kMatrixTypes, SvdParts};

}  // namespace
}  // namespace sy::cuda
