// clamp_min: a limit to a number.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cpu {
namespace {

void ClampMin(Call call, const Tensor& out, const Tensor& self, const Scalar& min) {
  RunLoops(kLoops<f::Maximum>, call.dtype(), out, self, NumberTensor(min));
}

const Kernel kernel{"clamp_min", "cpu", kFormula<f::Clamp>.dtypes(), ClampMin};

}  // namespace
}  // namespace sy::cpu
