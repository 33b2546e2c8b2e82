// How a product of matrices of given strides is put to a library that knows column-major matrices
// and their transposes alone.
//
//   GemmPlan plan;
//   if (PlanGemm(out, a, b, &plan)) …      // D = op(L) op(R), all column-major
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_PLAN_GEMM_PLAN_H_
#define SWITCHYARD_BACKENDS_CUDA_PLAN_GEMM_PLAN_H_

#include "switchyard/backends/common/matrix_shape.h"

namespace sy::cuda {

// A column-major matrix as it lies in memory: ld elements from column to column.
struct GemmFactor {
  int64_t rows, columns, ld;
  bool transposed;  // before it is multiplied
};
struct GemmPlan {
  bool swapped;  // left is b, right is a: the transposed product is computed
  GemmFactor left, right, result;
  int64_t k;
};

// out: [m, n], a: [m, k], b: [k, n], none of them 0. False where some matrix has no dimension along
// which its elements lie densely.
bool PlanGemm(const MatrixShape& out, const MatrixShape& a, const MatrixShape& b, GemmPlan* plan);

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_PLAN_GEMM_PLAN_H_
