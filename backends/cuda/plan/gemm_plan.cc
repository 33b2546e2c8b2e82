#include "backends/cuda/plan/gemm_plan.h"

#include <algorithm>

namespace sy::cuda {
namespace {

// m as a factor.
bool FactorOf(const MatrixShape& m, GemmFactor* factor) {
  const bool direct = m.by_columns();
  if (!direct && !m.by_rows()) return false;
  const MatrixShape rows = direct ? m.transposed() : m;  // which BLAS reads as columns
  *factor = {rows.columns, rows.rows, std::max(rows.leading(), rows.columns), !direct};
  return true;
}

}  // namespace

bool PlanGemm(const MatrixShape& out, const MatrixShape& a, const MatrixShape& b, GemmPlan* plan) {
  plan->k = a.columns;
  plan->swapped = !out.by_columns();
  if (plan->swapped) {
    return FactorOf(out.transposed(), &plan->result) && !plan->result.transposed &&
           FactorOf(b.transposed(), &plan->left) && FactorOf(a.transposed(), &plan->right);
  }
  return FactorOf(out, &plan->result) && FactorOf(a, &plan->left) && FactorOf(b, &plan->right);
}

}  // namespace sy::cuda
