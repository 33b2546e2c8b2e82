// Singular values by cuSOLVER's gesvd, which takes matrices by columns that have at least as many
// rows as columns. Of a wide A it is given the conjugate transpose, whose U is V of A: by rows, A's
// conjugate is that already. Nothing is written to the outputs until all matrices have converged.

#include <algorithm>

#include "backends/cuda/driver/cusolver.h"
#include "backends/cuda/kernels/dense.h"
#include "backends/cuda/kernels/reduce.h"
#include "switchyard/core/error.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {
namespace {

constexpr DTypeMask kSvdTypes = kComplexTypes | Mask(DType::kFloat32, DType::kFloat64);

cudaDataType_t LibraryType(DType d) {
  return d == DType::kFloat32     ? CUDA_R_32F
         : d == DType::kFloat64   ? CUDA_R_64F
         : d == DType::kComplex64 ? CUDA_C_32F
                                  : CUDA_C_64F;
}

// [batch, rows, columns], each matrix by columns, or by rows.
Tensor Room(const Tensor& like, int64_t batch, int64_t rows, int64_t columns, bool by_rows) {
  const int64_t sizes[] = {batch, rows, columns};
  const int64_t strides[] = {rows * columns, by_rows ? columns : 1, by_rows ? 1 : rows};
  return Tensor::EmptyStrided(sizes, strides, like.dtype(), like.device());
}
// t with one dimension instead of all but the last `own`, dense.
Tensor Batched(Call call, const Tensor& t, size_t own) {
  const Tensor dense = Dense(call, t, t.dtype());
  const IntSpan last = t.sizes().last(own);
  int64_t sizes[3] = {1}, strides[3], step = 1;
  std::copy(last.begin(), last.end(), sizes + 1);
  for (size_t d = own; d > 0; --d) {
    strides[d] = step;
    step *= sizes[d];
  }
  strides[0] = step;
  sizes[0] = step == 0 ? 0 : t.numel() / step;
  return dense.AsStrided({sizes, own + 1}, {strides, own + 1}, dense.storage_offset());
}
// out = t, whose matrices are in one batch, conjugated where asked for.
void Store(Call call, const Tensor& out, const Tensor& t, bool conjugates) {
  std::vector<int64_t> sizes(out.sizes().begin(), out.sizes().end()), strides(sizes.size());
  const size_t rank = sizes.size(), own = t.sizes().size() - 1;
  for (size_t d = 0; d < own; ++d) strides[rank - 1 - d] = t.strides()[own - d];
  int64_t step = t.strides()[0];
  for (size_t d = rank - own; d > 0; --d) {
    strides[d - 1] = step;
    step *= sizes[d - 1];
  }
  const Tensor from = t.AsStrided(sizes, strides, t.storage_offset());
  if (conjugates) return RunFormula(call, *Formula("conj_physical"), out, {&from});
  CopyElements(call, out, from);
}

// Of matrices without elements: their singular vectors are the unit vectors.
void SetIdentity(Call call, const Tensor& t) {
  FillElements(call, t, Scalar(0));
  const size_t rank = t.sizes().size();
  std::vector<int64_t> sizes(t.sizes().begin(), t.sizes().end() - 1),
      strides(t.strides().begin(), t.strides().end() - 1);
  sizes.back() = std::min(t.sizes()[rank - 2], t.sizes()[rank - 1]);
  strides.back() += t.strides()[rank - 1];
  FillElements(call, t.AsStrided(sizes, strides, t.storage_offset()), Scalar(1));
}

// By what `good` says of the numbers of each matrix: the first that is not, or -1.
int64_t FirstThat(const Tensor& flags) {
  const Tensor host = ToHost(flags);
  for (int64_t i = 0; i < host.numel(); ++i) {
    const bool set = host.dtype() == DType::kBool ? host.data<bool>()[i] : host.data<int>()[i] != 0;
    if (set) return i;
  }
  return -1;
}

[[noreturn]] void FailConverge(Call call, int64_t i, std::string_view why) {
  Fail(ErrorCode::kInvalidValue, {call.op(), "(): matrix ", i, " of A did not converge: ", why});
}
void RequireNumbers(Call call, const Tensor& a) {
  const Tensor nan = Tensor::Empty(a.sizes(), DType::kBool, a.device());
  const Tensor any = Tensor::Empty({a.sizes()[0]}, DType::kBool, a.device());
  constexpr Reduction kAny{"Any"};
  RunFormula(call, *Formula("isnan"), nan, {&a});
  Reduce(call, kAny, DType::kBool, nan, 6, &any);
  if (const int64_t i = FirstThat(any); i >= 0) FailConverge(call, i, "it holds NaN");
}

void Decompose(Call call, const Tensor& out_u, const Tensor& out_s, const Tensor& out_vh,
               const Tensor& given, bool full) {
  const DType d = given.dtype(), real = RealType(d);
  const Tensor a = Batched(call, given, 2);
  const int64_t batch = a.sizes()[0], m = a.sizes()[1], n = a.sizes()[2], k = std::min(m, n);
  const bool wide = m < n, conjugates = wide && IsComplex(d);
  CudaStream& stream = StreamOf(call.key);
  const Solver solver(call.op(), stream);
  RequireNumbers(call, a);
  const Tensor work = Room(a, batch, m, n, wide), u = Room(a, batch, m, full ? m : k, wide),
               vh = Room(a, batch, full ? n : k, n, wide);
  const Tensor s = Tensor::Empty({batch, k}, real, a.device());
  const Tensor info = Tensor::Empty({batch}, DType::kInt32, a.device());
  Store(call, work, a, conjugates);
  const auto at = [](const Tensor& t, int64_t i) {
    return static_cast<char*>(t.data()) + i * t.strides()[0] * static_cast<int64_t>(t.itemsize());
  };
  // As the library sees it: rows >= columns.
  const int64_t rows = std::max(m, n), columns = k;
  const Tensor &left = wide ? vh : u, &right = wide ? u : vh;
  const auto job = static_cast<signed char>(full ? 'A' : 'S');
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
          return solver.lib().Xgesvd(solver.handle(), solver.params(), job, job, rows, columns,
                                     type, at(work, i), rows, real_type, at(s, i), type,
                                     at(left, i), rows, type, at(right, i), columns, type,
                                     room.on_device, room.device_bytes, room.on_host,
                                     room.host_bytes, reinterpret_cast<int*>(at(info, i)));
        });
  }
  if (const int64_t i = FirstThat(info); i >= 0)
    FailConverge(call, i, "its superdiagonals did not become 0");
  Store(call, out_u, u, conjugates);
  Store(call, out_s, s, false);
  Store(call, out_vh, vh, conjugates);
}

void Svd(Call call, const Tensor& u, const Tensor& s, const Tensor& vh, const Tensor& a, bool full,
         std::optional<std::string_view> driver) {
  if (driver && *driver != "gesvd") {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): driver must be None or 'gesvd' here, got '", *driver, "'"});
  }
  if (a.numel() == 0) {
    SetIdentity(call, u);
    return SetIdentity(call, vh);
  }
  Decompose(call, u, s, vh, a, full);
}

const Kernel linalg_svd{"linalg_svd", "cuda", kSvdTypes, Svd};

}  // namespace
}  // namespace sy::cuda
