// LAPACK's functions, from OpenBLAS, for each type of number.
//
//   const auto& lapack = Lapack<float>::GetOrFail("linalg_cholesky_ex");
//   lapack.potrf("L", &n, a, &n, &info, 1);
//
// Arguments are Fortran's: all by address, matrices by columns; after them the length of each that
// is text. They run in the calling thread, but for what they call of BLAS (blas/lapack_calls.h).
// Owns: nothing. Threads: any, as OpenBlas.
// Errors: GetOrFail throws kUnavailable where the library is not installed.
// Source: LAPACK's and BLAS's documentation.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_H_

#include <complex>
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace sy::cpu {

// T: float, double, or a complex number of these. R: the type of its parts.
template <class T>
struct Lapack {
  using R = decltype(std::abs(T{}));
  static constexpr bool kComplex = !std::is_same_v<T, R>;
  using Text = const char*;
  using Int = const int*;
  template <class Real, class Complex>
  using Either = std::conditional_t<kComplex, Complex, Real>;

  void (*potrf)(Text uplo, Int n, T* a, Int lda, int* info, size_t);
  void (*geqrf)(Int m, Int n, T* a, Int lda, T* tau, T* work, Int lwork, int* info);
  // ?orgqr and ?ormqr; of complex numbers ?ungqr and ?unmqr.
  void (*orgqr)(Int m, Int n, Int k, T* a, Int lda, const T* tau, T* work, Int lwork, int* info);
  void (*ormqr)(Text side, Text trans, Int m, Int n, Int k, const T* a, Int lda, const T* tau, T* c,
                Int ldc, T* work, Int lwork, int* info, size_t, size_t);
  void (*getrf)(Int m, Int n, T* a, Int lda, int* ipiv, int* info);
  void (*getrs)(Text trans, Int n, Int nrhs, const T* a, Int lda, Int ipiv, T* b, Int ldb,
                int* info, size_t);
  void (*trsm)(Text side, Text uplo, Text trans, Text diag, Int m, Int n, const T* alpha,
               const T* a, Int lda, T* b, Int ldb, size_t, size_t, size_t, size_t);
  // ?syevd; of complex numbers ?heevd, which works in real numbers too.
  Either<void (*)(Text jobz, Text uplo, Int n, T* a, Int lda, R* w, T* work, Int lwork, int* iwork,
                  Int liwork, int* info, size_t, size_t),
         void (*)(Text jobz, Text uplo, Int n, T* a, Int lda, R* w, T* work, Int lwork, R* rwork,
                  Int lrwork, int* iwork, Int liwork, int* info, size_t, size_t)>
      syevd;
  Either<void (*)(Text jobz, Int m, Int n, T* a, Int lda, R* s, T* u, Int ldu, T* vt, Int ldvt,
                  T* work, Int lwork, int* iwork, int* info, size_t),
         void (*)(Text jobz, Int m, Int n, T* a, Int lda, R* s, T* u, Int ldu, T* vt, Int ldvt,
                  T* work, Int lwork, R* rwork, int* iwork, int* info, size_t)>
      gesdd;
  // Of real numbers eigenvalues' parts in two arrays, and vectors in two columns (?geev).
  Either<void (*)(Text jobvl, Text jobvr, Int n, T* a, Int lda, T* wr, T* wi, T* vl, Int ldvl,
                  T* vr, Int ldvr, T* work, Int lwork, int* info, size_t, size_t),
         void (*)(Text jobvl, Text jobvr, Int n, T* a, Int lda, T* w, T* vl, Int ldvl, T* vr,
                  Int ldvr, T* work, Int lwork, R* rwork, int* info, size_t, size_t)>
      geev;
  // For Hermitian matrices of complex numbers ?hetrf and ?hetrs, which are these for real ones.
  using Factor = void (*)(Text uplo, Int n, T* a, Int lda, int* ipiv, T* work, Int lwork, int* info,
                          size_t);
  using Solve = void (*)(Text uplo, Int n, Int nrhs, const T* a, Int lda, Int ipiv, T* b, Int ldb,
                         int* info, size_t);
  Factor sytrf, hetrf;
  Solve sytrs, hetrs;

  static const Lapack& GetOrFail(std::string_view op);
};

// False where the library lacks one of them.
template <class T>
bool LoadLapack(void* library, Lapack<T>& lapack);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_H_
