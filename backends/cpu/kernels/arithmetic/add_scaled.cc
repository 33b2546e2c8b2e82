#include "backends/cpu/kernels/arithmetic/add_scaled.h"

#include "switchyard/backends/common/numbers.h"
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace sy::cpu {

void AddScaled(DType dtype, const Tensor& out, const Tensor& self, const Tensor& other,
               const Scalar& alpha) {
  RunLoops(kLoops<f::AddScaled>, dtype, out, self, other, NumberTensor(alpha));
}

void SubScaled(Call call, const Tensor& out, const Tensor& self, const Tensor& other,
               const Scalar& alpha) {
  if (alpha.is_one()) [[likely]]
    return RunLoops(kLoops<f::Sub>, call.dtype(), out, self, other);
  AddScaled(call.dtype(), out, self, other, Negative(alpha));
}

}  // namespace sy::cpu
