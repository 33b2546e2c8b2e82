#include <optional>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet logit, logit_between;
}
namespace {

void Logit(Call call, const Tensor& out, const Tensor& self, std::optional<double> eps) {
  // Source: ATen's logit_kernel: a negative eps limits nothing.
  if (!eps || *eps < 0) return RunLoops(loops::logit, call.dtype(), out, self);
  // Limits in the precision of the computation.
  VisitDType<kFloatingTypes>(call.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    const double low = static_cast<double>(T(*eps));
    RunLoopsWith(loops::logit_between, call.dtype(), out, {&self},
                 {Scalar(low), Scalar(static_cast<double>(T(1 - low)))});
  });
}

const Kernel kernel{"logit", "cpu", loops::logit.dtypes, Logit};

}  // namespace
}  // namespace sy::cpu
