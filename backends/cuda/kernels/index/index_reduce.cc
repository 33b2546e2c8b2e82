#include "backends/cuda/engine/index.h"

namespace sy::cuda {
namespace {

void IndexReduce(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                 const Tensor& source, std::string_view reduce, bool include_self) {
  const Tensor from = AtLeast1d(source);
  ReduceElements(call, reduce, AtLeast1d(out), dim, IndexOfSlices(index, from.sizes(), dim), from,
                 include_self, /*round_each=*/true);
}

const Kernel index_reduce{"index_reduce", "cuda", kCombineTypes, IndexReduce};

}  // namespace
}  // namespace sy::cuda
