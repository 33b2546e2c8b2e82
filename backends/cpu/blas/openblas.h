// OpenBLAS, opened at first use: matrix products, and what holds LAPACK (blas/lapack.h).
//
//   if (const OpenBlas* blas = OpenBlas::Get()) blas->sgemm(…);
//
// It runs in the calling thread alone: callers share the work over ParallelFor's threads. A call
// that nobody can share, of one large matrix, is given the library's own (BlasThreads).
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
  void (*set_num_threads)(int);
  void* library;  // in which others find more: blas/lapack.h

  static const OpenBlas* Get();
  static const OpenBlas& GetOrFail(std::string_view op);
};

// While it lives, OpenBLAS runs in NumThreads() threads. Of several at a time the first one counts.
class BlasThreads {
 public:
  BlasThreads();
  ~BlasThreads();
  BlasThreads(const BlasThreads&) = delete;

 private:
  const bool several_;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_OPENBLAS_H_
