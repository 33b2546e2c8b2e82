#include "switchyard/backends/cpu/engine/positions.h"
#include "switchyard/backends/cpu/engine/slices.h"

namespace sy::cpu {
namespace {

void IndexSelect(Call call, const Tensor& out, const Tensor& self, int64_t dim,
                 const Tensor& index) {
  const Positions at(call, index, dim, self.dim() == 0 ? 1 : self.sizes()[dim]);
  SelectSlices(out, self, dim, at.data(), index.numel());
}

const Kernel kernel{"index_select", "cpu", kAnyDType, IndexSelect};

}  // namespace
}  // namespace sy::cpu
