// Householder's reflectors as LAPACK calls them, in blocks and shared between threads
// (blas/lapack_calls.h). Arguments: LAPACK's.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_REFLECTORS_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_REFLECTORS_H_

#include "switchyard/backends/cpu/blas/lapack_calls.h"

namespace sy::cpu {

// ?larfb: parts of the matrix that the reflectors are applied to.
template <class T>
void SharedLarfb(const char* side, const char* trans, const char* direct, const char* storev,
                 const int* m, const int* n, const int* k, const T* v, const int* ldv, const T* t,
                 const int* ldt, T* c, const int* ldc, T* work, const int* ldwork, size_t, size_t,
                 size_t, size_t);
// ?larft: by a product, instead of a vector after the other.
template <class T>
void BlockedLarft(const char* direct, const char* storev, const int* n, const int* k, T* v,
                  const int* ldv, const T* tau, T* t, const int* ldt, size_t, size_t);
// ?geqr2: by ?geqrt3, which halves columns.
template <class T>
void BlockedGeqr2(const int* m, const int* n, T* a, const int* lda, T* tau, T* work, int* info);
// ?org2r, ?ung2r.
template <class T>
void BlockedOrg2r(const int* m, const int* n, const int* k, T* a, const int* lda, const T* tau,
                  T* work, int* info);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_REFLECTORS_H_
