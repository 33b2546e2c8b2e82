// Roundings of integers, which are integers already; roundings to decimals.
#include <cmath>

#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet round, round_to_parts, round_to_multiples;
}
namespace {

void Same(Call, const Tensor& out, const Tensor& self) { CopyElements(out, self); }

constexpr DTypeMask kAnyInteger = kIntegerTypes | kWideUnsignedTypes;
const Kernel ceil{"ceil", "cpu", kAnyInteger, Same};
const Kernel floor{"floor", "cpu", kAnyInteger, Same};
const Kernel round{"round", "cpu", kAnyInteger, Same};
const Kernel trunc{"trunc", "cpu", kAnyInteger, Same};

void RoundDecimals(Call call, const Tensor& out, const Tensor& self, int64_t decimals) {
  if (decimals == 0) return RunLoops(loops::round, call.dtype(), out, self);
  const Scalar scale(std::pow(10.0, std::abs(static_cast<double>(decimals))));
  const LoopSet& set = decimals > 0 ? loops::round_to_parts : loops::round_to_multiples;
  RunLoopsWith(set, call.dtype(), out, {&self}, {scale});
}

const Kernel decimals{"round.decimals", "cpu", loops::round_to_parts.dtypes, RoundDecimals};

}  // namespace
}  // namespace sy::cpu
