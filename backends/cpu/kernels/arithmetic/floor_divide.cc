// floor_divide: a quotient, rounded down.
//
// Errors: kInvalidValue when an integer is divided by 0.
#include "backends/cpu/kernels/arithmetic/division.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cpu {
namespace {

void FloorDivide(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  DivideRounded(kLoops<f::DivFloor>, call, out, self, other);
}

const Kernel kernel{"floor_divide", "cpu", kFormula<f::DivFloor>.dtypes(), FloorDivide};

}  // namespace
}  // namespace sy::cpu
