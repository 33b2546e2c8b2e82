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
  // In the precision of the computation.
  const double high = call.dtype() == DType::kFloat64
                          ? 1 - *eps
                          : static_cast<double>(1 - static_cast<float>(*eps));
  RunLoopsWith(loops::logit_between, call.dtype(), out, {&self}, {Scalar(*eps), Scalar(high)});
}

const Kernel kernel{"logit", "cpu", loops::logit.dtypes, Logit};

}  // namespace
}  // namespace sy::cpu
