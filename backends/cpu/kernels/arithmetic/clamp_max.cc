// clamp_max: a limit to a number.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cpu {
namespace {

void ClampMax(Call call, const Tensor& out, const Tensor& self, const Scalar& max) {
  RunLoops(kLoops<f::Minimum>, call.dtype(), out, self, NumberTensor(max));
}

const Kernel kernel{"clamp_max", "cpu", kFormula<f::Clamp>.dtypes(), ClampMax};

}  // namespace
}  // namespace sy::cpu
