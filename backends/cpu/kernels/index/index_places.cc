#include "backends/cpu/kernels/index/index_places.h"

#include <utility>

#include "backends/cpu/kernels/index/true_elements.h"
#include "backends/cpu/kernels/index/wrapped_positions.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {

std::vector<Tensor> IndicesAlone(Call call, const Tensor& self, TensorList indices) {
  return WithoutMasks(call.op(), self, indices, NonzeroPositions);
}

IndexPlaces::IndexPlaces(Call call, const Tensor& self, const std::vector<Tensor>& indices)
    : at(call.op(), self, indices), offsets(Tensor::Empty(at.common(), DType::kInt64)) {
  bool first = true;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d].defined()) continue;
    const int64_t dim = static_cast<int64_t>(d);
    AddOffsets(call, offsets, ExpandedTo(indices[d], at.common()), dim, self.sizes()[d],
               self.strides()[d], std::exchange(first, false));
  }
}

Tensor IndexPlaces::Index(const Tensor& self) const {
  const Tensor moved = Moved(self);
  std::vector<int64_t> sizes(moved.sizes().begin(), moved.sizes().end()), strides(sizes.size(), 0);
  sizes[static_cast<size_t>(at.first())] = count();
  strides[static_cast<size_t>(at.first())] = 1;
  return offsets.AsStrided(sizes, strides, 0);
}

}  // namespace sy::cpu
