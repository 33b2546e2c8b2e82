#include "backends/cpu/kernels/arithmetic/division.h"

#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"

namespace sy::cpu {

void RequireNoZero(const Call& call, const Tensor& out, const Tensor& other) {
  if (IsIntegral(call.dtype(), true) && out.numel() != 0 && HasZero(other, call.dtype()))
    FailDivisionByZero(call.op());
}

// Source: ATen's BinaryOpsKernel.cpp, div_trunc and div_floor: by a single number, 16-bit floats
// compute in float; else they round after every operation.
void DivideRounded(const LoopSet& set, Call call, const Tensor& out, const Tensor& self,
                   const Tensor& other) {
  RequireNoZero(call, out, other);
  if (Contains(kHalfTypes, call.dtype()) && other.numel() == 1)
    return RunLoopsInFloat(set, call.dtype(), out, {&self, &other});
  RunLoops(set, call.dtype(), out, self, other);
}

}  // namespace sy::cpu
