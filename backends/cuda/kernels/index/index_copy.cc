#include "backends/cuda/engine/index.h"

namespace sy::cuda {
namespace {

void IndexCopy(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
               const Tensor& source) {
  const Tensor from = AtLeast1d(source);
  PutElements(call, Combine::kCopy, AtLeast1d(out), dim, IndexOfSlices(index, from.sizes(), dim),
              from);
}

const Kernel index_copy{"index_copy", "cuda", kAnyDType, IndexCopy};

}  // namespace
}  // namespace sy::cuda
