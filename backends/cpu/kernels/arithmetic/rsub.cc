// rsub: other - alpha * self.
#include "backends/cpu/kernels/arithmetic/add_scaled.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cpu {
namespace {

void Rsub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
          const Scalar& alpha) {
  SubScaled(call, out, other, self, alpha);
}

const Kernel kernel{"rsub.Tensor", "cpu", kFormula<f::Sub>.dtypes(), Rsub};

}  // namespace
}  // namespace sy::cpu
