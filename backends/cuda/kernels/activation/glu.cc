#include "backends/cuda/engine/pointwise.h"
#include "switchyard/ops/formulas/activation.h"

namespace sy::cuda {
namespace {

void Glu(Call call, const Tensor& out, const Tensor& self, int64_t dim) {
  const auto d = static_cast<size_t>(dim);
  const auto half = [&](int64_t first) {
    return self.AsStrided(out.sizes(), self.strides(),
                          self.storage_offset() + first * self.strides()[d]);
  };
  const Tensor a = half(0), b = half(out.sizes()[d]);
  RunFormula(call, kFormula<f::Glu>, out, {&a, &b});
}

const Kernel glu{"glu", "cuda", kFormula<f::Glu>.dtypes(), Glu};

}  // namespace
}  // namespace sy::cuda
