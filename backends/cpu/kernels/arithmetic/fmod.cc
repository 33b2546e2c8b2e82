// fmod: a remainder with the sign of self.
//
// Errors: kInvalidValue when an integer is divided by 0.
#include "backends/cpu/kernels/arithmetic/division.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/rounding.h"

namespace sy::cpu {
namespace {

void Fmod(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  RequireNoZero(call, out, other);
  RunLoops(kLoops<f::Fmod>, call.dtype(), out, self, other);
}

const Kernel kernel{"fmod.Tensor", "cpu", kFormula<f::Fmod>.dtypes(), Fmod};

}  // namespace
}  // namespace sy::cpu
