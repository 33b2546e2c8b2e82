#include "backends/cuda/engine/index.h"

namespace sy::cuda {
namespace {

void Gather(Call call, const Tensor& out, const Tensor& self, int64_t dim, const Tensor& index,
            bool) {
  GatherElements(call, AtLeast1d(out), AtLeast1d(self), dim, AtLeast1d(index));
}

const Kernel gather{"gather", "cuda", kAnyDType, Gather};

}  // namespace
}  // namespace sy::cuda
