// Factors of large matrices, and equations of triangular ones, in several threads: cut into blocks
// whose products OpenBLAS computes, which is twice as quick at those as at its own factorisations.
//
//   const Factors<float> factors("linalg_cholesky_ex");
//   int info = factors.Cholesky(n, a, n);        // as ?potrf of the lower triangle
//
// Matrices are by columns, as LAPACK has them; so are pivots, from 1 on, and info. How they are cut
// depends on sizes alone: results are the same with any number of threads.
// Owns: nothing. Threads: any; each call is split over ParallelFor's.
// Errors: those of OpenBlas::GetOrFail.
// Source: S. Toledo, Locality of reference in LU decomposition with partial pivoting, SIAM J.
// Matrix Anal. Appl. 18 (1997) 1065, for halving columns.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_FACTORS_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_FACTORS_H_

#include <cstdint>
#include <string_view>

#include "switchyard/backends/cpu/blas/lapack.h"
#include "switchyard/backends/cpu/blas/openblas.h"

namespace sy::cpu {

// From this many rows or columns on blocks pay; measured.
inline constexpr int64_t kFactorsFrom = 256;

// What a triangle is: which one, whether its transpose or conjugate transpose is meant, and whether
// its diagonal is ones that are not stored.
struct Triangle {
  bool upper = false;
  char trans = 'N';  // 'N', 'T' or 'C'
  bool unit = false;
};

// T: float, double, or a complex number of these.
template <class T>
class Factors {
 public:
  explicit Factors(std::string_view op)
      : lapack_(Lapack<T>::GetOrFail(op)), blas_(OpenBlas::GetOrFail(op)) {}

  // a: [n, n], whose lower triangle becomes L with L L^H = a.
  int Cholesky(int64_t n, T* a, int64_t lda) const;
  // a: [m, n], becomes L and U; pivots: min(m, n), row i was exchanged with row pivots[i].
  int Lu(int64_t m, int64_t n, T* a, int64_t lda, int* pivots) const;
  // b: [m, n], becomes x with op(a) x = b, or with x op(a) = b.
  void SolveLeft(Triangle triangle, int64_t m, int64_t n, const T* a, int64_t lda, T* b,
                 int64_t ldb) const;
  void SolveRight(Triangle triangle, int64_t m, int64_t n, const T* a, int64_t lda, T* b,
                  int64_t ldb) const;
  // b: [n, columns], becomes x with op(a) x = b, of a's L, U and pivots.
  void LuSolve(char trans, int64_t n, int64_t columns, const T* lu, int64_t lda, const int* pivots,
               T* b, int64_t ldb) const;

 private:
  void SolvePart(bool left, Triangle triangle, int64_t m, int64_t n, const T* a, int64_t lda, T* b,
                 int64_t ldb) const;
  // c: [m, n] -= op(a) op(b); op(a): [m, k].
  void Subtract(char trans_a, char trans_b, int64_t m, int64_t n, int64_t k, const T* a,
                int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc) const;
  // The same in blocks, of which those above the diagonal may be left as they are.
  void SubtractBlocks(char trans_b, bool lower_alone, int64_t m, int64_t n, int64_t k, const T* a,
                      int64_t lda, const T* b, int64_t ldb, T* c, int64_t ldc) const;

  const Lapack<T>& lapack_;
  const OpenBlas& blas_;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_FACTORS_H_
