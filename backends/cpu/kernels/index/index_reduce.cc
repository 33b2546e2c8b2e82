// index_reduce: slices are combined with those of self, with one rounding each.
#include <string_view>

#include "backends/cpu/kernels/index/combine_elements.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/positions.h"

namespace sy::cpu {
namespace {

void IndexReduce(Call call, const Tensor& out, const Tensor&, int64_t dim, const Tensor& index,
                 const Tensor& source, std::string_view reduce, bool include_self) {
  const Tensor to = AtLeast1d(out), from = AtLeast1d(source);
  RequirePositions(call, index, dim, to.sizes()[dim]);
  if (from.numel() == 0) return;
  ReduceElements(reduce, to, dim, IndexOfSlices(index, from.sizes(), dim), from, include_self,
                 /*round_each=*/true);
}

const Kernel kernel{"index_reduce", "cpu", kCombineTypes, IndexReduce};

}  // namespace
}  // namespace sy::cpu
