// round of integers, which are whole already, and to decimals; else it is a formula.

#include <cmath>

#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy::cuda {
namespace {

const Kernel round{"round", "cuda", kIntegers | kWideUnsigned, CopyElements};

void RoundDecimals(Call call, const Tensor& out, const Tensor& self, int64_t decimals) {
  if (decimals == 0) return RunFormula(call, kFormula<f::Round>, out, {&self});
  const Scalar scale(std::pow(10.0, std::abs(static_cast<double>(decimals))));
  RunFormula(call, decimals > 0 ? kFormula<f::RoundToParts> : kFormula<f::RoundToMultiples>, out,
             {&self}, {scale});
}

const Kernel decimals{"round.decimals", "cuda", kFormula<f::RoundToParts>.dtypes(), RoundDecimals};

}  // namespace
}  // namespace sy::cuda
