#include "backends/cuda/engine/clamp.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

void ClampMin(Call call, const Tensor& out, const Tensor& self, const Scalar& min) {
  ClampElements(call, out, self, NumberTensor(min), {});
}

const Kernel clamp_min{"clamp_min", "cuda", kFormula<f::Clamp>.dtypes(), ClampMin};

}  // namespace
}  // namespace sy::cuda
