// index: indices become offsets into self's memory once, slices are moved by them.
#include <vector>

#include "backends/cpu/kernels/index/index_places.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/slices.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Select(const IndexPlaces& places, const Tensor& out, const Tensor& self) {
  if (out.numel() == 0) return;
  const Tensor to = places.at.Joined(out);
  if (!to.defined()) {
    const Tensor beside = Tensor::Empty(out.sizes(), out.dtype());
    Select(places, beside, self);
    return CopyElements(out, beside);
  }
  SelectSlices(to, places.Moved(self), places.at.first(), places.offsets.data<int64_t>(),
               places.count());
}

void UnsafeIndex(Call call, const Tensor& out, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all(indices.begin(), indices.end());
  Select(IndexPlaces(call, self, all), out, self);
}

Tensor IndexTensor(Call call, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all = IndicesAlone(call, self, indices);
  const IndexPlaces places(call, self, all);
  Tensor out = Tensor::EmptyStrided(places.at.sizes(), places.at.Strides(self, all), self.dtype());
  Select(places, out, self);
  return out;
}

const Kernel unsafe_index_kernel{"_unsafe_index.Tensor", "cpu", kAnyDType, UnsafeIndex};
const Kernel index_kernel{"index.Tensor", "cpu", kAnyDType, IndexTensor};

}  // namespace
}  // namespace sy::cpu
