#include "backends/cuda/engine/clamp.h"

#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {

void ClampElements(Call call, const Tensor& out, const Tensor& self, const Tensor& min,
                   const Tensor& max) {
  if (!max.defined()) return RunFormula(call, kFormula<f::Maximum>, out, {&self, &min});
  if (!min.defined()) return RunFormula(call, kFormula<f::Minimum>, out, {&self, &max});
  RunFormula(call, kFormula<f::Clamp>, out, {&self, &min, &max});
}

}  // namespace sy::cuda
