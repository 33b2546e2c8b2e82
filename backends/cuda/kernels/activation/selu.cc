#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cuda {
namespace {

// Source: G. Klambauer et al., "Self-normalizing neural networks", NIPS 2017.
void Selu(Call call, const Tensor& out, const Tensor& self) {
  RunFormula(call, kFormula<f::Elu>, out, {&self},
             {Scalar(1.6732632423543772848170429916717), Scalar(1.0507009873554804934193349852946),
              Scalar(1)});
}

const Kernel selu{"selu", "cuda", kFormula<f::Elu>.dtypes(), Selu};

}  // namespace
}  // namespace sy::cuda
