// Products of large matrices by oneDNN, opened at first use: of float32 and bfloat16, on processors
// that have instructions for them (AVX-512).
//
// It runs in the calling thread alone, as OpenBLAS does here.
// Owns: the library, until the process ends.
// Threads: any.
// Errors: OneDnnProduct gives false, with nothing written, where the library has no such product
// that keeps to the stack; kOutOfMemory, and kInternal when it fails later.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_H_

#include <cstdint>

#include "switchyard/core/dtype.h"

namespace sy::cpu {

// Whether OneDnnProduct is worth asking for a dtype.
bool OneDnnMultiplies(DType dtype);
// c = a b, row-major; a: [m, k], or [k, m] when transposed, and so b. bfloat16 is summed in float32
// and rounded once. float32: operands without gaps between their rows.
bool OneDnnProduct(DType dtype, bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k,
                   const void* a, int64_t lda, const void* b, int64_t ldb, void* c, int64_t ldc);

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_ONEDNN_H_
