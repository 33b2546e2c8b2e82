#include "backends/cuda/kernels/arithmetic/division.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy::cuda {
namespace {

void Fmod(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  Divide(kFormula<f::Fmod>, call, out, self, other);
}
const Kernel fmod{"fmod.Tensor", "cuda", kFormula<f::Fmod>.dtypes(), Fmod};

}  // namespace
}  // namespace sy::cuda
