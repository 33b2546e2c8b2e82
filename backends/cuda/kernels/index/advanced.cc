#include "backends/cuda/kernels/index/advanced.h"

#include "backends/cuda/kernels/index/nonzero.h"
#include "switchyard/core/transfer.h"

namespace sy::cuda {

std::vector<Tensor> IndicesAlone(Call call, const Tensor& self, TensorList indices) {
  std::vector<Tensor> there;
  for (const Tensor& t : indices)
    there.push_back(t.defined() && t.is_host() ? FromHost(t, self.device()) : t);
  return WithoutMasks(call.op(), self, there,
                      [&](const Tensor& mask) { return NonzeroPositions(call, mask); });
}

const Tensor* OnlyIndex(const std::vector<Tensor>& indices, int64_t& dim) {
  const Tensor* only = nullptr;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d].defined()) continue;
    if (only != nullptr) return nullptr;
    only = &indices[d];
    dim = static_cast<int64_t>(d);
  }
  return only;
}

LinearIndices LinearIndicesAt(Call call, const AdvancedIndex& at, const Tensor& self,
                              std::vector<Tensor> indices) {
  for (Tensor& t : indices) {
    if (t.defined()) t = ExpandedTo(t, at.common());
  }
  return LinearIndicesOf(call, self, indices, at.common());
}

}  // namespace sy::cuda
