#include "backends/cuda/engine/clamp.h"

#include <optional>

#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

void Clamp(Call call, const Tensor& out, const Tensor& self, const std::optional<Scalar>& min,
           const std::optional<Scalar>& max) {
  const Tensor none;
  ClampElements(call, out, self, min ? NumberTensor(*min) : none, max ? NumberTensor(*max) : none);
}

const Kernel clamp{"clamp", "cuda", kFormula<f::Clamp>.dtypes(), Clamp};
const Kernel clamp_tensor{"clamp.Tensor", "cuda", kFormula<f::Clamp>.dtypes(), ClampElements};

}  // namespace
}  // namespace sy::cuda
