// Division whose quotient is rounded.
//
// Errors: kInvalidValue when an integer is divided by 0.
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace loops {
extern const LoopSet div, div_trunc, div_floor;
}
namespace {

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
  if (IsIntegral(dtype, true) && HasZero(other, dtype)) {
    Fail(ErrorCode::kInvalidValue,
         {call.op(), "(): other holds a 0, by which integers cannot be divided"});
  }
  // Source: ATen's BinaryOpsKernel.cpp, div_trunc and div_floor: by a single number, 16-bit floats
  // compute in float; else they round after every operation.
  if (Contains(kHalfTypes, dtype) && other.numel() == 1)
    return RunLoopsInFloat(set, dtype, out, {&self, &other});
  RunLoops(set, dtype, out, self, other);
}

const Kernel kernel{"div.Tensor_mode", "cpu", loops::div.dtypes | loops::div_trunc.dtypes, DivMode};

}  // namespace
}  // namespace sy::cpu
