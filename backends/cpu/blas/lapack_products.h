// Products as LAPACK calls them, shared between threads (blas/lapack_calls.h). Arguments: BLAS's.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_PRODUCTS_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_PRODUCTS_H_

#include "switchyard/backends/cpu/blas/lapack_calls.h"

namespace sy::cpu {

template <class T>
void SharedGemm(const char* trans_a, const char* trans_b, const int* m, const int* n, const int* k,
                const T* alpha, const T* a, const int* lda, const T* b, const int* ldb,
                const T* beta, T* c, const int* ldc, size_t, size_t);
template <class T>
void SharedGemv(const char* trans, const int* m, const int* n, const T* alpha, const T* a,
                const int* lda, const T* x, const int* incx, const T* beta, T* y, const int* incy,
                size_t);
template <class T>
void SharedHemv(const char* uplo, const int* n, const T* alpha, const T* a, const int* lda,
                const T* x, const int* incx, const T* beta, T* y, const int* incy, size_t);
template <class T>
void SharedHer2k(const char* uplo, const char* trans, const int* n, const int* k, const T* alpha,
                 const T* a, const int* lda, const T* b, const int* ldb,
                 const typename LibraryCalls<T>::R* beta, T* c, const int* ldc, size_t, size_t);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_LAPACK_PRODUCTS_H_
