// Products by OpenBLAS and oneDNN, cut into blocks that threads compute.
//
// Threads: any. Errors: none; HasLibrary says whether OpenBLAS is there.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_BLOCKS_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_BLOCKS_H_

#include "switchyard/backends/cpu/blas/matrix.h"

namespace sy::cpu {

inline constexpr DTypeMask kLibraryTypes =
    Mask(DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128);

bool HasLibrary();
// a, b: by rows or by columns; out: by rows. If out has one column, that and b may have any stride
// above 0. k > 0, all numbers within int.
void LibraryProduct(const Matrix& out, const Matrix& a, const Matrix& b);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_BLOCKS_H_
