// What cuSOLVER and cuBLAS do to whole batches, matrix by matrix. Addresses of matrices are the
// device's, as are those in the arrays; a program that gives others ends.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <vector>

#include "backends/cuda/emulator/lapack.h"

namespace sy::cuda {
namespace {

// cuBLAS documents none: its trsmBatched fails from here on.
// Source: github.com/pytorch/pytorch/issues/79191.
constexpr int kTooManyColumns = 524281;
bool Fits(int rows, int columns, int ld, int batch) {
  return rows >= 0 && columns >= 0 && columns < kTooManyColumns && ld >= std::max(1, rows) &&
         batch >= 0 && batch <= kMostMatrices;
}

// The matrices, or vectors, of so many rows and columns, whose addresses are in an array.
template <class N>
std::vector<N*> Batch(CUstream stream, N* const* array, int batch, int64_t rows, int64_t columns,
                      int64_t ld) {
  const int64_t count = columns == 0 ? 0 : ld * (columns - 1) + rows;
  RequireOn(stream, array, batch);
  std::vector<N*> all(array, array + batch);
  for (N* p : all) RequireOn(stream, p, count);
  return all;
}
// The same of matrices that are written: none is there twice.
template <class N>
std::vector<N*> Written(CUstream stream, N* const* array, int batch, int64_t rows, int64_t columns,
                        int64_t ld) {
  std::vector<N*> all = Batch(stream, array, batch, rows, columns, ld), sorted = all;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    EndBatch("result is there twice");
  return all;
}

// The other triangle is the library's to work in: it is left as NaN.
template <class N>
void SpoilOtherTriangle(cublasFillMode_t uplo, int n, N* a, int lda) {
  for (int64_t j = 0; j < n; ++j) {
    const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
    std::memset(static_cast<void*>(a + j * lda + (upper ? j + 1 : 0)), 0xff,
                static_cast<size_t>(upper ? n - 1 - j : j) * sizeof(N));
  }
}
template <class N>
cusolverStatus_t PotrfBatched(cusolverDnHandle_t handle, cublasFillMode_t uplo, int n, N* array[],
                              int lda, int* info, int batch) {
  if (!Fits(n, n, lda, batch)) return CUSOLVER_STATUS_INVALID_VALUE;
  const CUstream stream = StreamOfHandle(handle);
  return Queue(handle, [=] {
    const char triangle = TextOf(uplo);
    RequireOn(stream, info, batch);
    int* defect = info;
    for (N* a : Written(stream, array, batch, n, n, lda)) {
      CallLapack(kLetterOf<N>, "potrf", &triangle, &n, a, &lda, defect++, size_t{1});
      SpoilOtherTriangle(uplo, n, a, lda);
    }
  });
}

template <class N>
cublasStatus_t GetrfBatched(cublasHandle_t handle, int n, N* const array[], int lda, int* pivots,
                            int* info, int batch) {
  if (!Fits(n, n, lda, batch)) return CUBLAS_STATUS_INVALID_VALUE;
  const CUstream stream = StreamOfHandle(handle);
  return Queue(handle, [=] {
    RequireOn(stream, pivots, int64_t{n} * batch);
    RequireOn(stream, info, batch);
    int *rows = pivots, *defect = info;
    for (N* a : Written(stream, array, batch, n, n, lda)) {
      CallLapack(kLetterOf<N>, "getrf", &n, &n, a, &lda, rows, defect++);
      rows += n;
    }
  });
}
// wrong_argument: the host's.
template <class N>
cublasStatus_t GetrsBatched(cublasHandle_t handle, cublasOperation_t trans, int n, int nrhs,
                            const N* const array[], int lda, const int* pivots, N* const results[],
                            int ldb, int* wrong_argument, int batch) {
  if (!Fits(n, n, lda, batch) || !Fits(n, nrhs, ldb, batch)) return CUBLAS_STATUS_INVALID_VALUE;
  *wrong_argument = 0;
  const CUstream stream = StreamOfHandle(handle);
  return Queue(handle, [=] {
    const char op = TextOf(trans);
    RequireOn(stream, pivots, int64_t{n} * batch);
    const auto a = Batch(stream, array, batch, n, n, lda);
    const auto b = Written(stream, results, batch, n, nrhs, ldb);
    for (int i = 0; i < batch; ++i) {
      int info = 0;
      CallLapack(kLetterOf<N>, "getrs", &op, &n, &nrhs, a[i], &lda, pivots + int64_t{n} * i, b[i],
                 &ldb, &info, size_t{1});
    }
  });
}

template <class N>
cublasStatus_t TrsmBatched(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo,
                           cublasOperation_t trans, cublasDiagType_t diag, int m, int n,
                           const N* alpha, const N* const array[], int lda, N* const results[],
                           int ldb, int batch) {
  const int k = side == CUBLAS_SIDE_LEFT ? m : n;
  if (!Fits(k, k, lda, batch) || !Fits(m, n, ldb, batch)) return CUBLAS_STATUS_INVALID_VALUE;
  const N factor = *alpha;  // the host's
  const CUstream stream = StreamOfHandle(handle);
  return Queue(handle, [=] {
    const char from = TextOf(side), triangle = TextOf(uplo), op = TextOf(trans),
               unit = TextOf(diag);
    const auto a = Batch(stream, array, batch, k, k, lda);
    const auto b = Written(stream, results, batch, m, n, ldb);
    for (int i = 0; i < batch; ++i) {
      CallLapack(kLetterOf<N>, "trsm", &from, &triangle, &op, &unit, &m, &n, &factor, a[i], &lda,
                 b[i], &ldb, size_t{1}, size_t{1}, size_t{1}, size_t{1});
    }
  });
}

template <class N>
cublasStatus_t GeqrfBatched(cublasHandle_t handle, int m, int n, N* const array[], int lda,
                            N* const factors[], int* wrong_argument, int batch) {
  if (!Fits(m, n, lda, batch)) return CUBLAS_STATUS_INVALID_VALUE;
  *wrong_argument = 0;
  const CUstream stream = StreamOfHandle(handle);
  return Queue(handle, [=] {
    const auto a = Written(stream, array, batch, m, n, lda);
    const auto tau = Written(stream, factors, batch, std::min(m, n), 1, std::min(m, n));
    std::vector<N> work(static_cast<size_t>(std::max(1, n)));
    for (int i = 0; i < batch; ++i) {
      int info = 0;
      CallLapack(kLetterOf<N>, "geqrf", &m, &n, a[i], &lda, tau[i], work.data(), &n, &info);
    }
  });
}

// Matrices and results lie one after the other; U and V are wanted even where no vectors are.
template <class N, class R>
cusolverStatus_t GesvdjSize(cusolverDnHandle_t, cusolverEigMode_t, int m, int n, const N*, int lda,
                            const R*, const N* u, int ldu, const N* v, int ldv, int* numbers,
                            gesvdjInfo_t parameters, int batch) {
  constexpr int kMost = 32, kNumbers = 8;
  if (!Fits(m, n, lda, batch) || m > kMost || n > kMost || ldu < m || ldv < n || u == nullptr ||
      v == nullptr || parameters == nullptr)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *numbers = kNumbers * batch;
  return CUSOLVER_STATUS_SUCCESS;
}
// By QR, in Jacobi's place. Matrices with elements beyond this one are said not to converge.
constexpr double kLargest = 1e30;
template <class N, class R>
cusolverStatus_t GesvdjBatched(cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n,
                               N* a, int lda, R* s, N* u, int ldu, N* v, int ldv, N* memory,
                               int numbers, int* info, gesvdjInfo_t parameters, int batch) {
  int wanted = 0;
  const cusolverStatus_t fits =
      GesvdjSize(handle, jobz, m, n, a, lda, s, u, ldu, v, ldv, &wanted, parameters, batch);
  if (fits != CUSOLVER_STATUS_SUCCESS || numbers < wanted) return CUSOLVER_STATUS_INVALID_VALUE;
  const CUstream stream = StreamOfHandle(handle);
  return Queue(handle, [=] {
    const char job = jobz == CUSOLVER_EIG_MODE_VECTOR ? 'A' : 'N';
    const int k = std::min(m, n), length = 64 * (m + n);
    RequireOn(stream, a, int64_t{lda} * n * batch);
    RequireOn(stream, s, int64_t{k} * batch);
    RequireOn(stream, u, int64_t{ldu} * m * batch);
    RequireOn(stream, v, int64_t{ldv} * n * batch);
    RequireOn(stream, memory, numbers);
    RequireOn(stream, info, batch);
    std::vector<N> work(static_cast<size_t>(length)), vt(static_cast<size_t>(n) * n);
    std::vector<R> real(static_cast<size_t>(5 * k));
    for (int64_t i = 0; i < batch; ++i) {
      N *const from = a + i * lda * n, *const to = v + i * ldv * n;
      R *const values = s + i * k, *const parts = reinterpret_cast<R*>(from);
      N* const left = u + i * ldu * m;
      if (!std::all_of(parts, reinterpret_cast<R*>(from + lda * n),
                       [](R x) { return std::abs(x) <= kLargest; })) {
        info[i] = k + 1;
        continue;
      }
      if constexpr (kIsComplex<N>) {
        CallLapack(kLetterOf<N>, "gesvd", &job, &job, &m, &n, from, &lda, values, left, &ldu,
                   vt.data(), &n, work.data(), &length, real.data(), info + i, size_t{1},
                   size_t{1});
      } else {
        CallLapack(kLetterOf<N>, "gesvd", &job, &job, &m, &n, from, &lda, values, left, &ldu,
                   vt.data(), &n, work.data(), &length, info + i, size_t{1}, size_t{1});
      }
      if (job == 'N') continue;
      for (int row = 0; row < n; ++row) {
        for (int column = 0; column < n; ++column) {
          N x = vt[static_cast<size_t>(row * n + column)];
          if constexpr (kIsComplex<N>) x.y = -x.y;
          to[column * ldv + row] = x;
        }
      }
    }
  });
}

template <class T>
void EmulateForms(SolverTable& table) {
  using N = typename Typed<T>::Number;
  using R = decltype(std::abs(T()));
  table.*Typed<T>::potrf_batched = PotrfBatched<N>;
  table.*Typed<T>::gesvdj_size = GesvdjSize<N, R>;
  table.*Typed<T>::gesvdj_batched = GesvdjBatched<N, R>;
  table.blas.*Typed<T>::getrf_batched = GetrfBatched<N>;
  table.blas.*Typed<T>::getrs_batched = GetrsBatched<N>;
  table.blas.*Typed<T>::trsm_batched = TrsmBatched<N>;
  table.blas.*Typed<T>::geqrf_batched = GeqrfBatched<N>;
}

}  // namespace

void EmulateBatched(SolverTable& table) {
  EmulateForms<float>(table);
  EmulateForms<double>(table);
  EmulateForms<std::complex<float>>(table);
  EmulateForms<std::complex<double>>(table);
}

}  // namespace sy::cuda
