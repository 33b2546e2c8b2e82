// div with a rounding mode.
//
// Errors: kInvalidValue when an integer is divided by 0.
#include <optional>
#include <string_view>

#include "backends/cpu/kernels/arithmetic/division.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cpu {
namespace {

void DivMode(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
             std::optional<std::string_view> rounding_mode) {
  const DType dtype = call.dtype();
  if (!rounding_mode) return RunLoopsKeepingNumber(kLoops<f::Div>, dtype, out, self, other);
  const LoopSet& set = *rounding_mode == "floor" ? kLoops<f::DivFloor> : kLoops<f::DivTrunc>;
  if (!Contains(set.dtypes, dtype)) FailRounding(call, *rounding_mode, self, other);
  DivideRounded(set, call, out, self, other);
}

const Kernel kernel{"div.Tensor_mode", "cpu",
                    kFormula<f::Div>.dtypes() | kFormula<f::DivTrunc>.dtypes(), DivMode};

}  // namespace
}  // namespace sy::cpu
