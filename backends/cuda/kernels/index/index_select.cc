#include "backends/cuda/engine/index.h"

namespace sy::cuda {
namespace {

void IndexSelect(Call call, const Tensor& out, const Tensor& self, int64_t dim,
                 const Tensor& index) {
  const Tensor to = AtLeast1d(out);
  GatherElements(call, to, AtLeast1d(self), dim, IndexOfSlices(index, to.sizes(), dim));
}

const Kernel index_select{"index_select", "cuda", kAnyDType, IndexSelect};

}  // namespace
}  // namespace sy::cuda
