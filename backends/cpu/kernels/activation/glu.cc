// glu: one half of self, times the sigmoid of the other.
#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cpu {
namespace {

void Glu(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  const int64_t second = self.storage_offset() + out.sizes()[dim] * self.strides()[dim];
  RunLoops(kLoops<f::Glu>, call.dtype(), out,
           self.AsStrided(out.sizes(), self.strides(), self.storage_offset()),
           self.AsStrided(out.sizes(), self.strides(), second));
}

const Kernel kernel{"glu", "cpu", kFormula<f::Glu>.dtypes(), Glu};

}  // namespace
}  // namespace sy::cpu
