// The kernels of operators that are a formula of their tensors and numbers, and nothing else.

#include "backends/cuda/engine/engine.h"
#include "backends/cuda/plan/pointwise_source.h"
#include "switchyard/backends/cuda/formula.h"

namespace sy::cuda {

FormulaKernel::FormulaKernel(const FormulaDef& formula, const char* header)
    : formula_(formula), header_(header) {
  LinkFormula(this, next_);
  static_assert(sizeof(node_) >= sizeof(KernelDef) && alignof(FormulaKernel) >= alignof(KernelDef));
  LinkFormulaKernel<Engine>(node_, formula, &formula, formula.file, formula.line);
}

}  // namespace sy::cuda
