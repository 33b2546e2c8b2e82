// put: elements of a tensor, by their row-major numbers, are replaced or added to.
#include "backends/cpu/kernels/index/combine_elements.h"
#include "backends/cpu/kernels/index/element_offsets.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/slices.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

void Put(Call call, const Tensor& out, const Tensor&, const Tensor& index, const Tensor& source,
         bool accumulate) {
  const Tensor at = ElementOffsets(call, index, out);
  if (at.numel() == 0) return;
  const Tensor from = Flat(Contiguous(source)), memory = MemoryOf(out);
  if (!accumulate) return PutSlices(memory, 0, at.data<int64_t>(), at.numel(), from);
  CombineElements(Combine::kAdd, memory, 0, Flat(Contiguous(at)), from, {.round_each = true});
}

const Kernel kernel{"put", "cpu", kNumberOrBoolTypes, Put};

}  // namespace
}  // namespace sy::cpu
