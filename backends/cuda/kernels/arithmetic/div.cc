#include <optional>
#include <string_view>

#include "backends/cuda/engine/pointwise.h"
#include "backends/cuda/kernels/arithmetic/division.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cuda {
namespace {

void DivMode(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
             std::optional<std::string_view> rounding_mode) {
  if (!rounding_mode) {
    if (other.numel() == 1 && other.dtype() != call.dtype())
      return RunKeepingNumber(call, kFormula<f::Div>, out, {&self, &other});
    return RunFormula(call, kFormula<f::Div>, out, {&self, &other});
  }
  const FormulaDef& formula =
      *rounding_mode == "floor" ? kFormula<f::DivFloor> : kFormula<f::DivTrunc>;
  if (!Contains(formula.dtypes(), call.dtype())) FailRounding(call, *rounding_mode, self, other);
  Divide(formula, call, out, self, other);
}

const Kernel div{"div.Tensor_mode", "cuda",
                 kFormula<f::Div>.dtypes() | kFormula<f::DivTrunc>.dtypes(), DivMode};

}  // namespace
}  // namespace sy::cuda
