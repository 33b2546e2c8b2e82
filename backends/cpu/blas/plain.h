// Matrix products by plain loops: of integers, and of everything where no library is.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_PLAIN_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_PLAIN_H_

#include "switchyard/backends/cpu/blas/matrix.h"

namespace sy::cpu {

// Any strides. Integers wrap around.
void PlainProduct(const Matrix& out, const Matrix& a, const Matrix& b);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_PLAIN_H_
