// beta x + alpha a b, of matrices of any strides: what addmm and its kin are.
//
//   AddProduct(call.op(), Matrix::Of(out), Broadcast(self, …), Matrix::Of(a), Matrix::Of(b), beta,
//              alpha);
//
// 16-bit floats are summed in float32 and rounded once. With beta 0, x is not read.
// Owns: nothing.
// Threads: any; large products are split over ParallelFor's.
// Errors: as Product's.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_LINALG_ADD_PRODUCT_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_LINALG_ADD_PRODUCT_H_

#include "switchyard/backends/cpu/blas/product.h"
#include "switchyard/core/scalar.h"

namespace sy::cpu {

// out, x: [m, n], a: [m, k], b: [k, n], one dtype; x may be out and may have strides of 0.
void AddProduct(std::string_view op, const Matrix& out, const Matrix& x, const Matrix& a,
                const Matrix& b, const Scalar& beta, const Scalar& alpha);

// t, whose sizes expand to [rows, columns], as a matrix of these.
Matrix BroadcastMatrix(const Tensor& t, int64_t rows, int64_t columns);
// The same of [batch, rows, columns]; the i-th of the batch.
Matrix BroadcastMatrix(const Tensor& t, int64_t i, int64_t rows, int64_t columns);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_LINALG_ADD_PRODUCT_H_
