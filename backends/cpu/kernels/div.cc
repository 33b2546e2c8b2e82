// Divisions whose quotient is rounded, and their remainders.
//
// Errors: kInvalidValue when an integer is divided by 0.
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet div, div_trunc, div_floor, fmod, remainder;
}
namespace {

void RequireNoZero(const Call& call, const Tensor& out, const Tensor& other) {
  if (IsIntegral(call.dtype(), true) && out.numel() != 0 && HasZero(other, call.dtype())) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): other holds a 0, by which integers cannot be divided"});
  }
}

// Source: ATen's BinaryOpsKernel.cpp, div_trunc and div_floor: by a single number, 16-bit floats
// compute in float; else they round after every operation.
void Divide(const LoopSet& set, Call call, const Tensor& out, const Tensor& self,
            const Tensor& other) {
  RequireNoZero(call, out, other);
  if (Contains(kHalfTypes, call.dtype()) && other.numel() == 1)
    return RunLoopsInFloat(set, call.dtype(), out, {&self, &other});
  RunLoops(set, call.dtype(), out, self, other);
}

void DivMode(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
             std::optional<std::string_view> rounding_mode) {
  const DType dtype = call.dtype();
  if (!rounding_mode) return RunLoopsKeepingNumber(loops::div, dtype, out, self, other);
  const LoopSet& set = *rounding_mode == "floor" ? loops::div_floor : loops::div_trunc;
  if (!Contains(set.dtypes, dtype)) {
    Fail(ErrorCode::kNotImplemented,
         {call.op(), "(): expected real tensors with rounding_mode '", *rounding_mode, "', got ",
          self.dtype(), " and ", other.dtype()});
  }
  Divide(set, call, out, self, other);
}

void FloorDivide(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  Divide(loops::div_floor, call, out, self, other);
}

void Fmod(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RequireNoZero(call, out, other);
  RunLoops(loops::fmod, call.dtype(), out, self, other);
}

void Remainder(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RequireNoZero(call, out, other);
  RunLoops(loops::remainder, call.dtype(), out, self, other);
}

const Kernel kernel{"div.Tensor_mode", "cpu", loops::div.dtypes | loops::div_trunc.dtypes, DivMode};
const Kernel floor_divide{"floor_divide", "cpu", loops::div_floor.dtypes, FloorDivide};
const Kernel fmod{"fmod.Tensor", "cpu", loops::fmod.dtypes, Fmod};
const Kernel remainder{"remainder.Tensor", "cpu", loops::remainder.dtypes, Remainder};

}  // namespace
}  // namespace sy::cpu
