// What LAPACK calls of BLAS and of itself, shared between threads: OpenBLAS's LAPACK is compiled
// Fortran whose products, and whose reflectors in blocks, are functions with names of their own.
// Our copy of the library (core/private_library.h) is given these in their place.
//
//   OpenPrivately("libopenblas.so.0", {LapackCalls()…});
//   LoadLapackCalls(library);         // the library's own, which compute the parts
//
// Parts depend on sizes alone: results are the same with any number of threads. Where the library
// is not our copy its own functions are called, in one thread.
// Owns: nothing.
// Threads: any; each call is split over ParallelFor's, and a call in one of its threads is not.
// Errors: kOutOfMemory is thrown through the functions of LAPACK that call.
// Source: LAPACK's documentation; for reflectors in blocks R. Schreiber and C. Van Loan, A storage-
// efficient WY representation for products of Householder transformations, SIAM J. Sci. Stat.
// Comput. 10 (1989) 53.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_CALLS_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_CALLS_H_

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "switchyard/core/private_library.h"

namespace sy::cpu {

// The library's own functions of one type of number, arguments as in blas/lapack.h. Of complex
// numbers hemv, her2k and org2r are ?hemv, ?her2k and ?ung2r; of real ones ?symv, ?syr2k and
// ?org2r.
template <class T>
struct LibraryCalls {
  using R = decltype(std::abs(T{}));
  static constexpr bool kComplex = !std::is_same_v<T, R>;
  using Text = const char*;
  using Int = const int*;

  void (*gemm)(Text trans_a, Text trans_b, Int m, Int n, Int k, const T* alpha, const T* a, Int lda,
               const T* b, Int ldb, const T* beta, T* c, Int ldc, size_t, size_t);
  void (*gemv)(Text trans, Int m, Int n, const T* alpha, const T* a, Int lda, const T* x, Int incx,
               const T* beta, T* y, Int incy, size_t);
  void (*hemv)(Text uplo, Int n, const T* alpha, const T* a, Int lda, const T* x, Int incx,
               const T* beta, T* y, Int incy, size_t);
  void (*her2k)(Text uplo, Text trans, Int n, Int k, const T* alpha, const T* a, Int lda,
                const T* b, Int ldb, const R* beta, T* c, Int ldc, size_t, size_t);
  void (*trmm)(Text side, Text uplo, Text trans, Text diag, Int m, Int n, const T* alpha,
               const T* a, Int lda, T* b, Int ldb, size_t, size_t, size_t, size_t);
  void (*trmv)(Text uplo, Text trans, Text diag, Int n, const T* a, Int lda, T* x, Int incx, size_t,
               size_t, size_t);
  void (*larft)(Text direct, Text storev, Int n, Int k, T* v, Int ldv, const T* tau, T* t, Int ldt,
                size_t, size_t);
  void (*larfb)(Text side, Text trans, Text direct, Text storev, Int m, Int n, Int k, const T* v,
                Int ldv, const T* t, Int ldt, T* c, Int ldc, T* work, Int ldwork, size_t, size_t,
                size_t, size_t);
  void (*geqr2)(Int m, Int n, T* a, Int lda, T* tau, T* work, int* info);
  void (*geqrt3)(Int m, Int n, T* a, Int lda, T* t, Int ldt, int* info);
  void (*org2r)(Int m, Int n, Int k, T* a, Int lda, const T* tau, T* work, int* info);

  // Written while the library is opened.
  static inline LibraryCalls own = {};
};

// The names that our copy calls, and what it gets.
std::vector<Import> LapackCalls();
// False where the library lacks one of the functions.
bool LoadLapackCalls(void* library);

// Parts of something `size` long that takes so many multiplications: a power of 2, each at least
// `least` long.
int64_t LapackParts(double multiplications, int64_t size, int64_t least);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_CALLS_H_
