#include "backends/cuda/kernels/arithmetic/division.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy::cuda {
namespace {

void Remainder(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  Divide(kFormula<f::Remainder>, call, out, self, other);
}
const Kernel remainder{"remainder.Tensor", "cuda", kFormula<f::Remainder>.dtypes(), Remainder};

}  // namespace
}  // namespace sy::cuda
