#include "backends/cuda/engine/clamp.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

void ClampMax(Call call, const Tensor& out, const Tensor& self, const Scalar& max) {
  ClampElements(call, out, self, {}, NumberTensor(max));
}

const Kernel clamp_max{"clamp_max", "cuda", kFormula<f::Clamp>.dtypes(), ClampMax};

}  // namespace
}  // namespace sy::cuda
