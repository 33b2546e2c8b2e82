// Singular values by cuSOLVER's gesvd, which takes matrices by columns that have at least as many
// rows as columns. Of a wide A it is given the conjugate transpose, whose U is V of A: by rows, A's
// conjugate is that already. Nothing is written to the outputs until all matrices have converged.

#include <algorithm>

#include "backends/cuda/kernels/matrices.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// What is asked for besides the singular values.
enum class Vectors { kNone, kThin, kFull };

void Decompose(Call call, const Tensor& out_u, const Tensor& out_s, const Tensor& out_vh,
               const Tensor& given, Vectors vectors) {
  const DType d = given.dtype(), real = RealType(d);
  const Tensor a = Batched(call, given, 2);
  const int64_t batch = a.sizes()[0], m = a.sizes()[1], n = a.sizes()[2], k = std::min(m, n);
  const bool wide = m < n, conjugates = wide && IsComplex(d), full = vectors == Vectors::kFull;
  CudaStream& stream = StreamOf(call.key);
  const Solver solver(call.op(), stream);
  RequireNumbers(call, a);
  const Tensor work = Room(a, batch, m, n, wide), s = Tensor::Empty({batch, k}, real, a.device()),
               info = NoDefects(call, a);
  Tensor u, vh;
  if (vectors != Vectors::kNone) {
    u = Room(a, batch, m, full ? m : k, wide);
    vh = Room(a, batch, full ? n : k, n, wide);
  }
  Store(call, work, a, conjugates);
  const auto at = [](const Tensor& t, int64_t i) { return t.defined() ? MatrixAt(t, i) : nullptr; };
  // As the library sees it: rows >= columns.
  const int64_t rows = std::max(m, n), columns = k;
  const Tensor &left = wide ? vh : u, &right = wide ? u : vh;
  const auto job = static_cast<signed char>(full ? 'A' : vectors == Vectors::kThin ? 'S' : 'N');
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
    FailConverge(call, i, "its superdiagonals did not become 0");
  Store(call, out_s, s);
  if (vectors == Vectors::kNone) return;
  Store(call, out_u, u, conjugates);
  Store(call, out_vh, vh, conjugates);
}

void SvdParts(Call call, const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a,
              bool full_matrices, bool compute_uv, std::optional<std::string_view> driver) {
  if (driver && *driver != "gesvd") {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): driver must be None or 'gesvd' here, got '", *driver, "'"});
  }
  if (a.numel() != 0) {
    return Decompose(call, u, s, vh, a,
                     !compute_uv     ? Vectors::kNone
                     : full_matrices ? Vectors::kFull
                                     : Vectors::kThin);
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
