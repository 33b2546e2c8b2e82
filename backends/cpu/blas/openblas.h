// OpenBLAS, opened at first use: matrix products and LAPACK.
//
//   if (const OpenBlas* blas = OpenBlas::Get()) blas->sgemm(…);
//
// It runs in the calling thread alone: callers share the work over ParallelFor's threads, so that a
// process has one pool of threads.
// Owns: the library, until the process ends.
// Threads: any, at most kMaxThreads at a time.
// Errors: Get gives null where the library is not installed; GetOrFail throws kUnavailable.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_OPENBLAS_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_OPENBLAS_H_

#include <cblas.h>

#include <cstdint>
#include <string_view>

namespace sy::cpu {

struct OpenBlas {
  // OpenBLAS has a buffer for each of twice as many threads as it is built for (Debian: 64).
  static constexpr int64_t kMaxThreads = 64;

  decltype(&cblas_sgemm) sgemm;
  decltype(&cblas_dgemm) dgemm;
  decltype(&cblas_cgemm) cgemm;
  decltype(&cblas_zgemm) zgemm;
  decltype(&cblas_sgemv) sgemv;
  decltype(&cblas_dgemv) dgemv;
  decltype(&cblas_cgemv) cgemv;
  decltype(&cblas_zgemv) zgemv;
  decltype(&cblas_sdot) sdot;
  decltype(&cblas_ddot) ddot;
  decltype(&cblas_cdotu_sub) cdotu;
  decltype(&cblas_zdotu_sub) zdotu;
  // LAPACK's ?gesdd, by Fortran's calling convention; the last argument is the length of jobz.
  template <class T>
  using Gesdd = void (*)(const char* jobz, const int* m, const int* n, T* a, const int* lda, T* s,
                         T* u, const int* ldu, T* vt, const int* ldvt, T* work, const int* lwork,
                         int* iwork, int* info, size_t);
  // Complex: a, u, vt and work are pairs of T.
  template <class T>
  using ComplexGesdd = void (*)(const char* jobz, const int* m, const int* n, void* a,
                                const int* lda, T* s, void* u, const int* ldu, void* vt,
                                const int* ldvt, void* work, const int* lwork, T* rwork, int* iwork,
                                int* info, size_t);
  Gesdd<float> sgesdd;
  Gesdd<double> dgesdd;
  ComplexGesdd<float> cgesdd;
  ComplexGesdd<double> zgesdd;

  static const OpenBlas* Get();
  static const OpenBlas& GetOrFail(std::string_view op);
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_OPENBLAS_H_
