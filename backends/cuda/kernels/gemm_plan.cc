#include "backends/cuda/kernels/gemm_plan.h"

#include <algorithm>

namespace sy::cuda {
namespace {

bool ByColumns(const MatrixShape& m) {
  return (m.row_stride == 1 || m.rows == 1) && (m.columns == 1 || m.column_stride >= m.rows);
}
MatrixShape Turned(const MatrixShape& m) {
  return {m.columns, m.rows, m.column_stride, m.row_stride};
}

// m as a factor.
bool FactorOf(const MatrixShape& m, GemmFactor* factor) {
  const bool direct = ByColumns(m);
  const MatrixShape lies = direct ? m : Turned(m);
  if (!direct && !ByColumns(lies)) return false;
  const int64_t ld = lies.columns == 1 ? lies.rows : lies.column_stride;
  *factor = {lies.rows, lies.columns, std::max(ld, lies.rows), !direct};
  return true;
}

}  // namespace

bool PlanGemm(const MatrixShape& out, const MatrixShape& a, const MatrixShape& b, GemmPlan* plan) {
  plan->k = a.columns;
  plan->swapped = !ByColumns(out);
  if (plan->swapped) {
    return FactorOf(Turned(out), &plan->result) && !plan->result.transposed &&
           FactorOf(Turned(b), &plan->left) && FactorOf(Turned(a), &plan->right);
  }
  return FactorOf(out, &plan->result) && FactorOf(a, &plan->left) && FactorOf(b, &plan->right);
}

}  // namespace sy::cuda
