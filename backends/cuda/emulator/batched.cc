// What cuSOLVER and cuBLAS do to whole batches, matrix by matrix. Addresses of matrices are the
// device's, as are those in the arrays; a program that gives others ends.
#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>
#include <vector>

#include "backends/cuda/emulator/lapack.h"

namespace sy::cuda {
namespace {

bool Fits(int rows, int columns, int ld, int batch) {
  return rows >= 0 && columns >= 0 && ld >= std::max(1, rows) && batch >= 0 &&
         batch <= kMostMatrices;
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

template <class T>
void EmulateForms(SolverTable& table) {
  using N = typename Typed<T>::Number;
  table.*Typed<T>::potrf_batched = PotrfBatched<N>;
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
