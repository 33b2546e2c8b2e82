// LU of small matrices, which takes LAPACK longer to call than to compute.
//
//   int info = isa::small_lu.of_float(a, m, n, lda, pivots);    // as ?getrf
//
// Compiled once per instruction set (small_lu_lanes.cc).
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_SMALL_LU_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_SMALL_LU_H_

#include <stdint.h>

#include "switchyard/backends/cpu/simd/isas.h"

namespace sy::cpu {

inline constexpr int64_t kSmallLu = 32;  // rows and columns, at most: larger ones are LAPACK's

// a: [m, n] by columns, becomes L and U; pivots: min(m, n), from 1 on. Gives 0, or the first pivot
// that is 0, from 1 on.
struct SmallLu {
  int (*of_float)(float* a, int64_t m, int64_t n, int64_t lda, int* pivots);
  int (*of_double)(double* a, int64_t m, int64_t n, int64_t lda, int* pivots);
};
SY_IN_EACH_ISA(extern const SmallLu small_lu)

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_SMALL_LU_H_
