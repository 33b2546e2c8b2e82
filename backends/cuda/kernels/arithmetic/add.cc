#include "backends/cuda/kernels/arithmetic/add.h"

#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {

void AddScaled(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
               const Scalar& alpha) {
  if (alpha.is_one()) return RunFormula(call, kFormula<f::Add>, out, {&self, &other});
  const Tensor scale = NumberTensor(alpha);
  RunFormula(call, kFormula<f::AddScaled>, out, {&self, &other, &scale});
}

namespace {

const Kernel add{"add.Tensor", "cuda", kFormula<f::Add>.dtypes(), AddScaled};

}  // namespace
}  // namespace sy::cuda
