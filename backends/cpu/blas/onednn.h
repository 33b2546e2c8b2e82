// oneDNN, opened at first use: the faster float32 product of large matrices.
//
// It runs in the calling thread alone, as OpenBLAS does here.
// Owns: the library, until the process ends.
// Threads: any.
// Errors: none; false where the library is not installed.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_H_

#include <cstdint>

namespace sy::cpu {

// c = a b, row-major, of float32; a: [m, k], or [k, m] when transposed, and so b.
bool OneDnnGemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, const void* a,
                int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_H_
