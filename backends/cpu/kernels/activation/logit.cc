#include <optional>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cpu {
namespace {

void Logit(Call call, const Tensor& out, const Tensor& self, std::optional<double> eps) {
  // Source: ATen's logit_kernel: a negative eps limits nothing.
  if (!eps || *eps < 0) return RunLoops(kLoops<f::Logit>, call.dtype(), out, self);
  // Limits in the precision of the computation.
  VisitDType<kFloatingTypes>(call.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const double low = static_cast<double>(T(*eps));
    RunLoopsWith(kLoops<f::LogitBetween>, call.dtype(), out, {&self},
                 {Scalar(low), Scalar(static_cast<double>(T(1 - low)))});
  });
}

const Kernel kernel{"logit", "cpu", kFormula<f::Logit>.dtypes(), Logit};

}  // namespace
}  // namespace sy::cpu
