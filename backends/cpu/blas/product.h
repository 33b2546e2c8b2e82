// Products of matrices of any strides and of every dtype that has them.
//
//   Product(Matrix::Of(out), Matrix::Of(a), Matrix::Of(b));   // out = a b
//
// float32, float64 and the complex types are OpenBLAS's and oneDNN's; 16- and 8-bit floats are
// summed in float32 and rounded once; integers wrap around. Without the libraries plain loops give
// the result.
// Owns: nothing.
// Threads: any; large products are split over ParallelFor's.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_PRODUCT_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_PRODUCT_H_

#include "backends/cpu/blas/matrix.h"

namespace sy::cpu {

// out: [m, n], a: [m, k], b: [k, n], one dtype; out overlaps neither. k = 0 gives zeros.
void Product(const Matrix& out, const Matrix& a, const Matrix& b);

// The dtypes of mm; bmm, mv and dot lack the 8-bit floats. Source: addmm_impl_cpu_, bmm, addmv and
// dot in ATen/native (LinearAlgebra.cpp, Blas.cpp).
inline constexpr DTypeMask kProductTypes = kIntegerTypes | kFloatingTypes | kComplexTypes;

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_PRODUCT_H_
