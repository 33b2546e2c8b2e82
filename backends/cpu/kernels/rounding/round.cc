// round: of integers, which are integers already; to decimals.
#include <cmath>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/backends/cpu/kernels/same.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy::cpu {
namespace {

void RoundDecimals(Call call, const Tensor& out, const Tensor& self, int64_t decimals) {
  if (decimals == 0) return RunLoops(kLoops<f::Round>, call.dtype(), out, self);
  const Scalar scale(std::pow(10.0, std::abs(static_cast<double>(decimals))));
  const LoopSet& set = decimals > 0 ? kLoops<f::RoundToParts> : kLoops<f::RoundToMultiples>;
  RunLoopsWith(set, call.dtype(), out, {&self}, {scale});
}

const Kernel kernel{"round", "cpu", kIntegerTypes | kWideUnsignedTypes, Same};
const Kernel decimals_kernel{"round.decimals", "cpu", kFormula<f::RoundToParts>.dtypes(),
                             RoundDecimals};

}  // namespace
}  // namespace sy::cpu
