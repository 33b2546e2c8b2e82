#include "backends/cuda/engine/index.h"

namespace sy::cuda {
namespace {

void IndexAdd(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
              const Tensor& source, const Scalar& alpha) {
  const Tensor from = AtLeast1d(source);
  // Slices are added with one rounding each, elements of vectors have their product rounded first.
  // Source: index_add_cpu_out, ATen/native/TensorAdvancedIndexing.cpp.
  const bool product = out.dim() <= 1 && Contains(kHalves, out.dtype());
  PutElements(call, Combine::kAdd, AtLeast1d(out), dim, IndexOfSlices(index, from.sizes(), dim),
              from, {.alpha = alpha, .round_each = true, .round_product = product});
}

const Kernel index_add{"index_add", "cuda", kCombineTypes, IndexAdd};

}  // namespace
}  // namespace sy::cuda
