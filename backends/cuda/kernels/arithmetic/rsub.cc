#include "backends/cuda/kernels/arithmetic/add.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {
namespace {

void Rsub(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
          const Scalar& alpha) {
  SubScaled(call, out, other, self, alpha);
}
const Kernel rsub{"rsub.Tensor", "cuda", kFormula<f::Sub>.dtypes(), Rsub};

}  // namespace
}  // namespace sy::cuda
