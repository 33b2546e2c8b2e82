// Products of matrices of any strides and of every dtype that has them.
//
//   Product(call.op(), Matrix::Of(out), Matrix::Of(a), Matrix::Of(b));   // out = a b
//
// float32, float64 and the complex types are OpenBLAS's and oneDNN's; 16- and 8-bit floats are
// summed in float32 and rounded once; integers wrap around. Without the libraries plain loops give
// the result.
// Owns: nothing.
// Threads: any; large products are split over ParallelFor's.
// Errors: kNotImplemented for bool, unless there is nothing to multiply; names `op`.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_PRODUCT_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_PRODUCT_H_

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/cpu/blas/matrix.h"

namespace sy::cpu {

// out: [m, n], a: [m, k], b: [k, n], one dtype; out overlaps neither. k = 0 gives zeros.
void Product(std::string_view op, const Matrix& out, const Matrix& a, const Matrix& b);

// to = from, of the same sizes, converted.
void CopyMatrix(const Matrix& to, const Matrix& from);

// The dtypes of mm; bmm, mv and dot lack the 8-bit floats. Source: addmm_impl_cpu_, bmm, addmv and
// dot in ATen/native (LinearAlgebra.cpp, Blas.cpp).

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_PRODUCT_H_
