// selu: elu with fixed parameters.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cpu {
namespace {

// Source: G. Klambauer, T. Unterthiner, A. Mayr, S. Hochreiter, "Self-Normalizing Neural Networks",
// 2017.
void Selu(Call call, const Tensor& out, const Tensor& self) {
  RunLoopsWith(kLoops<f::Elu>, call.dtype(), out, {&self},
               {Scalar(1.6732632423543772848170429916717),
                Scalar(1.0507009873554804934193349852946), Scalar(1)});
}

const Kernel kernel{"selu", "cpu", kFormula<f::Elu>.dtypes(), Selu};

}  // namespace
}  // namespace sy::cpu
