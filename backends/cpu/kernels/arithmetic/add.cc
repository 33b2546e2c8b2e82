// add: self + alpha * other.
#include "backends/cpu/kernels/arithmetic/add_scaled.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cpu {
namespace {

void Add(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
         const Scalar& alpha) {
  if (alpha.is_one()) [[likely]]
    return RunLoops(kLoops<f::Add>, call.dtype(), out, self, other);
  AddScaled(call.dtype(), out, self, other, alpha);
}

const Kernel kernel{"add.Tensor", "cpu", kFormula<f::Add>.dtypes(), Add};

}  // namespace
}  // namespace sy::cpu
