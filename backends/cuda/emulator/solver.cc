#include "backends/cuda/emulator/solver.h"

#include <dlfcn.h>

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "backends/cuda/emulator/emulator.h"
#include "backends/cuda/emulator/lapack.h"

namespace sy::cuda {

void* Lapack(const char* name) {
  static void* const library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : dlsym(library, name);
}

void EndBatch(const char* what) {
  std::fprintf(stderr, "emulator: a batch's %s\n", what);
  std::abort();
}

namespace {

cusolverStatus_t Create(cusolverDnHandle_t* handle) {
  *handle = reinterpret_cast<cusolverDnHandle_t>(new Handle);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t CreateParams(cusolverDnParams_t* params) {
  *params = reinterpret_cast<cusolverDnParams_t>(params);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t CreateGesvdjInfo(gesvdjInfo_t* info) {
  *info = reinterpret_cast<gesvdjInfo_t>(info);
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t SetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  reinterpret_cast<Handle*>(handle)->stream = reinterpret_cast<CUstream>(stream);
  return CUSOLVER_STATUS_SUCCESS;
}

// 64 numbers for each row and column are more than enough for LAPACK.
size_t RoomOfGesvd(int64_t m, int64_t n) { return static_cast<size_t>(m + n) * 64 * 16; }

cusolverStatus_t GesvdBufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                 int64_t m, int64_t n, cudaDataType, const void*, int64_t,
                                 cudaDataType, const void*, cudaDataType, const void*, int64_t,
                                 cudaDataType, const void*, int64_t, cudaDataType,
                                 size_t* on_device, size_t* on_host) {
  // What cuSOLVER does not serve.
  if (m < n) return CUSOLVER_STATUS_INVALID_VALUE;
  *on_device = RoomOfGesvd(m, n);
  *on_host = static_cast<size_t>(5 * n) * 8;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t Gesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                       signed char jobvt, int64_t m, int64_t n, cudaDataType type, void* a,
                       int64_t lda, cudaDataType, void* s, cudaDataType, void* u, int64_t ldu,
                       cudaDataType, void* vt, int64_t ldvt, cudaDataType, void* work,
                       size_t work_bytes, void*, size_t host_bytes, int* info) {
  if (m < n || work_bytes < RoomOfGesvd(m, n) || host_bytes < static_cast<size_t>(5 * n) * 8)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const bool complex = type == CUDA_C_32F || type == CUDA_C_64F;
  const char* name = type == CUDA_R_32F   ? "sgesvd_"
                     : type == CUDA_R_64F ? "dgesvd_"
                     : type == CUDA_C_32F ? "cgesvd_"
                                          : "zgesvd_";
  const char left = static_cast<char>(jobu), right = static_cast<char>(jobvt);
  const int rows = static_cast<int>(m), columns = static_cast<int>(n), da = static_cast<int>(lda),
            du = static_cast<int>(ldu), dv = static_cast<int>(ldvt),
            numbers = static_cast<int>(work_bytes / 16);
  // LAPACK's ?gesvd by Fortran's calling convention; complex ones take real numbers to work in.
  using Real =
      void (*)(const char*, const char*, const int*, const int*, void*, const int*, void*, void*,
               const int*, void*, const int*, void*, const int*, int*, size_t, size_t);
  using Complex =
      void (*)(const char*, const char*, const int*, const int*, void*, const int*, void*, void*,
               const int*, void*, const int*, void*, const int*, void*, int*, size_t, size_t);
  void* const function = Lapack(name);
  // Room on the host is of the call alone, which is over when this runs.
  return Queue(handle, [=] {
    std::vector<char> host(host_bytes);
    if (complex) {
      reinterpret_cast<Complex>(function)(&left, &right, &rows, &columns, a, &da, s, u, &du, vt,
                                          &dv, work, &numbers, host.data(), info, 1, 1);
    } else {
      reinterpret_cast<Real>(function)(&left, &right, &rows, &columns, a, &da, s, u, &du, vt, &dv,
                                       work, &numbers, info, 1, 1);
    }
  });
}

// --- Other factorisations. A call's work is queued as one function that has its own memory; what
// the caller gives is only measured.
using Numbers = std::vector<std::complex<double>>;  // enough for any dtype
constexpr size_t kRoom = 64;                        // bytes that calls ask for, and must be given

char LetterOf(cudaDataType type) {
  return type == CUDA_R_32F ? 's' : type == CUDA_R_64F ? 'd' : type == CUDA_C_32F ? 'c' : 'z';
}
bool IsComplexType(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }

cusolverStatus_t AskRoom(size_t* on_device, size_t* on_host) {
  *on_device = kRoom;
  *on_host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t PotrfSize(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t, int64_t,
                           cudaDataType, const void*, int64_t, cudaDataType, size_t* on_device,
                           size_t* on_host) {
  return AskRoom(on_device, on_host);
}
cusolverStatus_t Potrf(cusolverDnHandle_t handle, cusolverDnParams_t, cublasFillMode_t uplo,
                       int64_t n, cudaDataType type, void* a, int64_t lda, cudaDataType, void*,
                       size_t bytes, void*, size_t, int* info) {
  if (bytes < kRoom) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    const char triangle = TextOf(uplo);
    const int size = static_cast<int>(n), ld = static_cast<int>(lda);
    CallLapack(LetterOf(type), "potrf", &triangle, &size, a, &ld, info, size_t{1});
  });
}

cusolverStatus_t GeqrfSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t, cudaDataType,
                           const void*, int64_t, cudaDataType, const void*, cudaDataType,
                           size_t* on_device, size_t* on_host) {
  return AskRoom(on_device, on_host);
}
cusolverStatus_t Geqrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                       cudaDataType type, void* a, int64_t lda, cudaDataType, void* tau,
                       cudaDataType, void*, size_t bytes, void*, size_t, int* info) {
  if (bytes < kRoom) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    const int rows = static_cast<int>(m), columns = static_cast<int>(n), ld = static_cast<int>(lda);
    Numbers work(static_cast<size_t>(std::max(1, columns)));
    CallLapack(LetterOf(type), "geqrf", &rows, &columns, a, &ld, tau, work.data(), &columns, info);
  });
}

cusolverStatus_t GetrfSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t, int64_t, cudaDataType,
                           const void*, int64_t, cudaDataType, size_t* on_device, size_t* on_host) {
  return AskRoom(on_device, on_host);
}
cusolverStatus_t Getrf(cusolverDnHandle_t handle, cusolverDnParams_t, int64_t m, int64_t n,
                       cudaDataType type, void* a, int64_t lda, int64_t* pivots, cudaDataType,
                       void*, size_t bytes, void*, size_t, int* info) {
  if (bytes < kRoom) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    const int rows = static_cast<int>(m), columns = static_cast<int>(n), ld = static_cast<int>(lda);
    std::vector<int> narrow(static_cast<size_t>(std::min(m, n)));
    CallLapack(LetterOf(type), "getrf", &rows, &columns, a, &ld, narrow.data(), info);
    std::copy(narrow.begin(), narrow.end(), pivots);
  });
}
cusolverStatus_t Getrs(cusolverDnHandle_t handle, cusolverDnParams_t, cublasOperation_t trans,
                       int64_t n, int64_t nrhs, cudaDataType type, const void* a, int64_t lda,
                       const int64_t* pivots, cudaDataType, void* b, int64_t ldb, int* info) {
  return Queue(handle, [=] {
    const char op = TextOf(trans);
    const int size = static_cast<int>(n), columns = static_cast<int>(nrhs),
              da = static_cast<int>(lda), db = static_cast<int>(ldb);
    const std::vector<int> narrow(pivots, pivots + n);
    CallLapack(LetterOf(type), "getrs", &op, &size, &columns, a, &da, narrow.data(), b, &db, info,
               size_t{1});
  });
}

cusolverStatus_t SyevdSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                           cublasFillMode_t, int64_t, cudaDataType, const void*, int64_t,
                           cudaDataType, const void*, cudaDataType, size_t* on_device,
                           size_t* on_host) {
  return AskRoom(on_device, on_host);
}
// By ?syev and ?heev, which ask for less room.
void Syev(cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n, cudaDataType type, void* a,
          int64_t lda, void* values, int* info) {
  const char job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', triangle = TextOf(uplo);
  const int size = static_cast<int>(n), ld = static_cast<int>(lda), length = 3 * size;
  Numbers work(static_cast<size_t>(length)), real(static_cast<size_t>(length));
  if (IsComplexType(type)) {
    CallLapack(LetterOf(type), "heev", &job, &triangle, &size, a, &ld, values, work.data(), &length,
               real.data(), info, size_t{1}, size_t{1});
  } else {
    CallLapack(LetterOf(type), "syev", &job, &triangle, &size, a, &ld, values, work.data(), &length,
               info, size_t{1}, size_t{1});
  }
}
cusolverStatus_t Syevd(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz,
                       cublasFillMode_t uplo, int64_t n, cudaDataType type, void* a, int64_t lda,
                       cudaDataType, void* values, cudaDataType, void*, size_t bytes, void*, size_t,
                       int* info) {
  if (bytes < kRoom) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] { Syev(jobz, uplo, n, type, a, lda, values, info); });
}

// Real matrices, which lie one after the other, as do their values.
cusolverStatus_t SyevBatchedSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                 cublasFillMode_t, int64_t n, cudaDataType type, const void*,
                                 int64_t lda, cudaDataType value_type, const void*, cudaDataType,
                                 size_t* on_device, size_t* on_host, int64_t batch) {
  if (IsComplexType(type) || value_type != type || n < 0 || lda < std::max<int64_t>(1, n) ||
      batch < 0 || batch > kMostMatrices || n * lda * batch > INT32_MAX)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *on_device = kRoom * static_cast<size_t>(batch);
  *on_host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t SyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t params,
                             cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                             cudaDataType type, void* a, int64_t lda, cudaDataType value_type,
                             void* values, cudaDataType compute_type, void* work, size_t bytes,
                             void*, size_t, int* info, int64_t batch) {
  size_t on_device = 0, on_host = 0;
  const cusolverStatus_t fits =
      SyevBatchedSize(handle, params, jobz, uplo, n, type, a, lda, value_type, values, compute_type,
                      &on_device, &on_host, batch);
  if (fits != CUSOLVER_STATUS_SUCCESS || bytes < on_device) return CUSOLVER_STATUS_INVALID_VALUE;
  const CUstream stream = StreamOfHandle(handle);
  return Queue(handle, [=] {
    const int64_t number = type == CUDA_R_32F ? sizeof(float) : sizeof(double);
    char *const matrices = static_cast<char*>(a), *const results = static_cast<char*>(values);
    RequireOn(stream, matrices, n * lda * batch * number);
    RequireOn(stream, results, n * batch * number);
    RequireOn(stream, static_cast<const char*>(work), static_cast<int64_t>(bytes));
    RequireOn(stream, info, batch);
    for (int64_t i = 0; i < batch; ++i) {
      Syev(jobz, uplo, n, type, matrices + i * n * lda * number, lda, results + i * n * number,
           info + i);
    }
  });
}

cusolverStatus_t GeevSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t left,
                          cusolverEigMode_t, int64_t, cudaDataType, const void*, int64_t,
                          cudaDataType, const void*, cudaDataType, const void*, int64_t,
                          cudaDataType, const void*, int64_t, cudaDataType, size_t* on_device,
                          size_t* on_host) {
  // What cuSOLVER does not serve.
  if (left != CUSOLVER_EIG_MODE_NOVECTOR) return CUSOLVER_STATUS_INVALID_VALUE;
  return AskRoom(on_device, on_host);
}
// Eigenvalues are complex here, whatever the matrix; vectors of real ones lie in parts.
template <class R>
void RealGeev(char letter, char job, int n, void* a, int lda, void* values, void* vectors, int ldv,
              int* info) {
  const char none = 'N';
  const int one = 1, length = 8 * n;
  std::vector<R> parts(2 * static_cast<size_t>(n)), work(static_cast<size_t>(length));
  void* const left = nullptr;
  CallLapack(letter, "geev", &none, &job, &n, a, &lda, parts.data(), parts.data() + n, left, &one,
             vectors, &ldv, work.data(), &length, info, size_t{1}, size_t{1});
  for (int j = 0; j < n; ++j) static_cast<std::complex<R>*>(values)[j] = {parts[j], parts[n + j]};
}
cusolverStatus_t Geev(cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t left,
                      cusolverEigMode_t right, int64_t n, cudaDataType type, void* a, int64_t lda,
                      cudaDataType value_type, void* values, cudaDataType, void*, int64_t,
                      cudaDataType, void* vectors, int64_t ldv, cudaDataType, void*, size_t bytes,
                      void*, size_t, int* info) {
  if (left != CUSOLVER_EIG_MODE_NOVECTOR || bytes < kRoom || !IsComplexType(value_type))
    return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    const char job = right == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N', none = 'N';
    const int size = static_cast<int>(n), da = static_cast<int>(lda), dv = static_cast<int>(ldv),
              one = 1, length = 8 * size;
    if (type == CUDA_R_32F)
      return RealGeev<float>('s', job, size, a, da, values, vectors, dv, info);
    if (type == CUDA_R_64F)
      return RealGeev<double>('d', job, size, a, da, values, vectors, dv, info);
    Numbers work(static_cast<size_t>(length)), real(static_cast<size_t>(length));
    void* const left_vectors = nullptr;
    CallLapack(LetterOf(type), "geev", &none, &job, &size, a, &da, values, left_vectors, &one,
               vectors, &dv, work.data(), &length, real.data(), info, size_t{1}, size_t{1});
  });
}

cusolverStatus_t SytrsSize(cusolverDnHandle_t, cublasFillMode_t, int64_t, int64_t, cudaDataType,
                           const void*, int64_t, const int64_t*, cudaDataType, void*, int64_t,
                           size_t* on_device, size_t* on_host) {
  return AskRoom(on_device, on_host);
}
cusolverStatus_t Sytrs(cusolverDnHandle_t handle, cublasFillMode_t uplo, int64_t n, int64_t nrhs,
                       cudaDataType type, const void* a, int64_t lda, const int64_t* pivots,
                       cudaDataType, void* b, int64_t ldb, void*, size_t bytes, void*, size_t,
                       int* info) {
  if (bytes < kRoom) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    const char triangle = TextOf(uplo);
    const int size = static_cast<int>(n), columns = static_cast<int>(nrhs),
              da = static_cast<int>(lda), db = static_cast<int>(ldb);
    const std::vector<int> narrow(pivots, pivots + n);
    CallLapack(LetterOf(type), "sytrs", &triangle, &size, &columns, a, &da, narrow.data(), b, &db,
               info, size_t{1});
  });
}

// --- Functions that have a form for each type of number
constexpr int kNumbers = 8;  // that calls ask for, and must be given

template <class N>
cusolverStatus_t OrgqrSize(cusolverDnHandle_t, int, int, int, const N*, int, const N*,
                           int* numbers) {
  *numbers = kNumbers;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class N>
cusolverStatus_t Orgqr(cusolverDnHandle_t handle, int m, int n, int k, N* a, int lda, const N* tau,
                       N*, int numbers, int* info) {
  if (numbers < kNumbers) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    Numbers work(static_cast<size_t>(n));
    CallLapack(kLetterOf<N>, kIsComplex<N> ? "ungqr" : "orgqr", &m, &n, &k, a, &lda, tau,
               work.data(), &n, info);
  });
}
template <class N>
cusolverStatus_t OrmqrSize(cusolverDnHandle_t, cublasSideMode_t, cublasOperation_t, int, int, int,
                           const N*, int, const N*, const N*, int, int* numbers) {
  *numbers = kNumbers;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class N>
cusolverStatus_t Ormqr(cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans,
                       int m, int n, int k, const N* a, int lda, const N* tau, N* c, int ldc, N*,
                       int numbers, int* info) {
  if (numbers < kNumbers) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    const char from = TextOf(side), op = TextOf(trans);
    const int length = std::max(m, n);
    Numbers work(static_cast<size_t>(length));
    CallLapack(kLetterOf<N>, kIsComplex<N> ? "unmqr" : "ormqr", &from, &op, &m, &n, &k, a, &lda,
               tau, c, &ldc, work.data(), &length, info, size_t{1}, size_t{1});
  });
}

template <class N>
cusolverStatus_t SytrfSize(cusolverDnHandle_t, int, N*, int, int* numbers) {
  *numbers = kNumbers;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class N>
cusolverStatus_t Sytrf(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, N* a, int lda,
                       int* pivots, N*, int numbers, int* info) {
  if (numbers < kNumbers) return CUSOLVER_STATUS_INVALID_VALUE;
  return Queue(handle, [=] {
    const char triangle = TextOf(uplo);
    const int length = 64 * n;
    Numbers work(static_cast<size_t>(length));
    CallLapack(kLetterOf<N>, "sytrf", &triangle, &n, a, &lda, pivots, work.data(), &length, info,
               size_t{1});
  });
}

cublasStatus_t CreateBlas(cublasHandle_t* handle) {
  *handle = reinterpret_cast<cublasHandle_t>(new Handle);
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t SetBlasStream(cublasHandle_t handle, cudaStream_t stream) {
  reinterpret_cast<Handle*>(handle)->stream = reinterpret_cast<CUstream>(stream);
  return CUBLAS_STATUS_SUCCESS;
}
template <class N>
cublasStatus_t Trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                    cublasOperation_t trans, cublasDiagType_t diag, int m, int n, const N* alpha,
                    const N* a, int lda, N* b, int ldb) {
  const N factor = *alpha;  // the host's
  return Queue(handle, [=] {
    const char from = TextOf(side), triangle = TextOf(uplo), op = TextOf(trans),
               unit = TextOf(diag);
    CallLapack(kLetterOf<N>, "trsm", &from, &triangle, &op, &unit, &m, &n, &factor, a, &lda, b,
               &ldb, size_t{1}, size_t{1}, size_t{1}, size_t{1});
  });
}

template <class T>
void EmulateTyped(SolverTable& table) {
  using N = typename Typed<T>::Number;
  table.*Typed<T>::orgqr_size = OrgqrSize<N>;
  table.*Typed<T>::orgqr = Orgqr<N>;
  table.*Typed<T>::ormqr_size = OrmqrSize<N>;
  table.*Typed<T>::ormqr = Ormqr<N>;
  table.*Typed<T>::sytrf_size = SytrfSize<N>;
  table.*Typed<T>::sytrf = Sytrf<N>;
  table.blas.*Typed<T>::trsm = Trsm<N>;
}

}  // namespace

void EmulateSolver() {
  if (Lapack("sgesvd_") == nullptr) return;
  SolverTable table;
  table.Create = Create;
  table.CreateParams = CreateParams;
  table.SetStream = SetStream;
  table.Xgesvd_bufferSize = GesvdBufferSize;
  table.Xgesvd = Gesvd;
  table.CreateGesvdjInfo = CreateGesvdjInfo;
  table.Xpotrf_bufferSize = PotrfSize;
  table.Xpotrf = Potrf;
  table.Xgeqrf_bufferSize = GeqrfSize;
  table.Xgeqrf = Geqrf;
  table.Xgetrf_bufferSize = GetrfSize;
  table.Xgetrf = Getrf;
  table.Xgetrs = Getrs;
  table.Xsyevd_bufferSize = SyevdSize;
  table.Xsyevd = Syevd;
  table.XsyevBatched_bufferSize = SyevBatchedSize;
  table.XsyevBatched = SyevBatched;
  table.Xgeev_bufferSize = GeevSize;
  table.Xgeev = Geev;
  table.Xsytrs_bufferSize = SytrsSize;
  table.Xsytrs = Sytrs;
  table.blas.Create = CreateBlas;
  table.blas.SetStream = SetBlasStream;
  EmulateTyped<float>(table);
  EmulateTyped<double>(table);
  EmulateTyped<std::complex<float>>(table);
  EmulateTyped<std::complex<double>>(table);
  EmulateBatched(table);
  UseSolver(table);
}

int EmulatedSolverCalls() { return solver_calls; }

}  // namespace sy::cuda
