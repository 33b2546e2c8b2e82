// remainder: a remainder with the sign of other.
//
// Errors: kInvalidValue when an integer is divided by 0.
#include "backends/cpu/kernels/arithmetic/division.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy::cpu {
namespace {

void Remainder(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RequireNoZero(call, out, other);
  RunLoops(kLoops<f::Remainder>, call.dtype(), out, self, other);
}

const Kernel kernel{"remainder.Tensor", "cpu", kFormula<f::Remainder>.dtypes(), Remainder};

}  // namespace
}  // namespace sy::cpu
