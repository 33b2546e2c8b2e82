#include <string_view>

#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cuda {
namespace {

void Gelu(Call call, const Tensor& out, const Tensor& self, std::string_view approximate) {
  RunFormula(call, approximate == "tanh" ? kFormula<f::GeluTanh> : kFormula<f::Gelu>, out, {&self});
}

const Kernel gelu{"gelu", "cuda", kFormula<f::Gelu>.dtypes(), Gelu};

}  // namespace
}  // namespace sy::cuda
