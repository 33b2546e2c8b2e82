// Equations of small triangular matrices, of which each row of unknowns is a line of its own: what
// blas/factors.h calls for the blocks on the diagonal.
//
//   ActiveTriangles().of_float(a, k, x, ldx, rows);
//
// x: [rows, k] by columns, becomes y with y a = x. a: [k, k], upper; column j is at a + j * k, and
// has 1 / a_jj on the diagonal. Compiled once per instruction set (triangle_lanes.cc).
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_BLAS_TRIANGLES_H_
#define SWITCHYARD_BACKENDS_CPU_BLAS_TRIANGLES_H_

#include <stdint.h>

#include "switchyard/backends/cpu/simd/isas.h"

namespace sy::cpu {

struct Triangles {
  void (*of_float)(const float* a, int64_t k, float* x, int64_t ldx, int64_t rows);
  void (*of_double)(const double* a, int64_t k, double* x, int64_t ldx, int64_t rows);
};
SY_IN_EACH_ISA(extern const Triangles triangles)

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_BLAS_TRIANGLES_H_
