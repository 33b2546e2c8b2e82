// celu: elu with parameters of its own.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cpu {
namespace {

void Celu(Call call, const Tensor& out, const Tensor& self, const Scalar& alpha) {
  RunLoopsWith(kLoops<f::Elu>, call.dtype(), out, {&self},
               {alpha, Scalar(1), Scalar(1 / alpha.To<double>())});
}

const Kernel kernel{"celu", "cpu", kFormula<f::Elu>.dtypes(), Celu};

}  // namespace
}  // namespace sy::cpu
