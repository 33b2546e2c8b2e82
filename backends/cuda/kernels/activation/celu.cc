#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cuda {
namespace {

void Celu(Call call, const Tensor& out, const Tensor& self, const Scalar& alpha) {
  RunFormula(call, kFormula<f::Elu>, out, {&self},
             {alpha, Scalar(1), Scalar(1 / alpha.To<double>())});
}

const Kernel celu{"celu", "cuda", kFormula<f::Elu>.dtypes(), Celu};

}  // namespace
}  // namespace sy::cuda
