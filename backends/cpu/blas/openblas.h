// OpenBLAS, opened at first use: matrix products, and LAPACK (blas/lapack.h).
//
//   if (const OpenBlas* blas = OpenBlas::Get()) blas->sgemm(…);
//
// The copy of it that is used here is ours alone (core/private_library.h): a program's own
// OpenBLAS keeps its number of threads, and what the environment says of threads is not for ours.
// It runs in the calling thread alone: callers share the work over ParallelFor's threads, and what
// LAPACK calls of BLAS is shared so too (blas/lapack_calls.h).
// Owns: the library, until the process ends.
// Threads: any, at most kMaxThreads at a time.
// Errors: Get gives null where the library is not installed, GetOrFail throws kUnavailable there;
// kOutOfMemory when there is too little to open it or, from its functions, to work in.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_OPENBLAS_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_OPENBLAS_H_

#include <cblas.h>

#include <cstdint>
#include <string_view>

#include "switchyard/backends/cpu/blas/lapack.h"

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
  Lapack<float> s;
  Lapack<double> d;
  Lapack<std::complex<float>> c;
  Lapack<std::complex<double>> z;
  bool has_lapack;

  static const OpenBlas* Get();
  static const OpenBlas& GetOrFail(std::string_view op);
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_OPENBLAS_H_
