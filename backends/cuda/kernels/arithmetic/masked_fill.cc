#include "backends/cuda/engine/pointwise.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

void MaskedFill(Call call, const Tensor& out, const Tensor& self, const Tensor& mask,
                const Tensor& value) {
  RequireFits(call, value, self.dtype());
  RunFormula(call, kFormula<f::Where>, out, {&mask, &value, &self});
}
const Kernel masked_fill{"masked_fill.Tensor", "cuda", kAnyDType, MaskedFill};

}  // namespace
}  // namespace sy::cuda
