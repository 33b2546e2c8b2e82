#include "backends/cuda/engine/index.h"

#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/index/advanced.h"
#include "switchyard/backends/common/views.h"

namespace sy::cuda {
namespace {

void Select(Call call, const AdvancedIndex& at, const std::vector<Tensor>& indices,
            const Tensor& out, const Tensor& self) {
  if (out.numel() == 0) return;
  const Tensor to = at.Joined(out);
  if (!to.defined()) {
    const Tensor beside = Tensor::Empty(out.sizes(), out.dtype(), out.device());
    Select(call, at, indices, beside, self);
    return CopyElements(call, out, beside);
  }
  int64_t dim = 0;
  if (const Tensor* only = OnlyIndex(indices, dim)) {
    const Tensor list = Flat(Dense(call, *only, only->dtype()));
    return GatherElements(call, to, self, dim, IndexOfSlices(list, to.sizes(), dim), true);
  }
  const LinearIndices places = LinearIndicesAt(call, at, self, indices);
  GatherElements(call, to, at.Moved(self, places.end), at.first(),
                 IndexOfSlices(places.keys, to.sizes(), at.first()), false, true);
}

void UnsafeIndex(Call call, const Tensor& out, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all = IndicesAlone(call, self, indices);
  Select(call, AdvancedIndex(call.op(), self, all), all, out, self);
}
Tensor Index(Call call, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all = IndicesAlone(call, self, indices);
  const AdvancedIndex at(call.op(), self, all);
  Tensor out = Tensor::EmptyStrided(at.sizes(), at.Strides(self, all), self.dtype(), self.device());
  Select(call, at, all, out, self);
  return out;
}

const Kernel unsafe_index{"_unsafe_index.Tensor", "cuda", kAnyDType, UnsafeIndex};
const Kernel index{"index.Tensor", "cuda", kAnyDType, Index};

}  // namespace
}  // namespace sy::cuda
