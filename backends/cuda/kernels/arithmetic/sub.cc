#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/kernels/arithmetic/add.h"
#include "switchyard/backends/common/numbers.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {

void SubScaled(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
               const Scalar& alpha) {
  if (alpha.is_one()) return RunFormula(call, kFormula<f::Sub>, out, {&self, &other});
  AddScaled(call, out, self, other, Negative(alpha));
}

namespace {

const Kernel sub{"sub.Tensor", "cuda", kFormula<f::Sub>.dtypes(), SubScaled};

}  // namespace
}  // namespace sy::cuda
