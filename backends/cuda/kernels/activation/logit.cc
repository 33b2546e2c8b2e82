#include <optional>

#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cuda {
namespace {

void Logit(Call call, const Tensor& out, const Tensor& self, std::optional<double> eps) {
  if (!eps || *eps < 0) return RunFormula(call, kFormula<f::Logit>, out, {&self});
  VisitDType<kFloatingTypes>(call.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;  // limits in the precision of the computation
    const auto low = static_cast<double>(T(*eps));
    RunFormula(call, kFormula<f::LogitBetween>, out, {&self},
               {Scalar(low), Scalar(static_cast<double>(T(1 - low)))});
  });
}

const Kernel logit{"logit", "cuda", kFormula<f::Logit>.dtypes(), Logit};

}  // namespace
}  // namespace sy::cuda
