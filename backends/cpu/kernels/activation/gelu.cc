// gelu: exact, or by tanh.
#include <string_view>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cpu {
namespace {

void Gelu(Call call, const Tensor& out, const Tensor& self, std::string_view approximate) {
  RunLoops(approximate == "tanh" ? kLoops<f::GeluTanh> : kLoops<f::Gelu>, call.dtype(), out, self);
}

const Kernel kernel{"gelu", "cpu", kFormula<f::Gelu>.dtypes(), Gelu};

}  // namespace
}  // namespace sy::cpu
