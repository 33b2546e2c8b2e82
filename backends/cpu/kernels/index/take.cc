// take: elements of a tensor by their row-major numbers.
#include <vector>

#include "backends/cpu/kernels/index/element_offsets.h"
#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/positions.h"
#include "switchyard/backends/cpu/engine/slices.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 14;  // positions worth a thread

// Whether all was well: everything lies in a row, and so do the positions, each of which is good.
bool TakeFlat(const Tensor& out, const Tensor& self, const Tensor& index) {
  const bool flat = out.is_contiguous() && self.is_contiguous() && index.is_contiguous();
  if (!flat || index.dtype() != DType::kInt64) return false;
  const int64_t* at = index.data<int64_t>();
  const int64_t n = index.numel(), size = self.numel();
  if (!AllInRange(at, DType::kInt64, n, -size, 2 * size)) return false;
  VisitItem(self.itemsize(), [&](auto item) {
    using U = decltype(item);
    const U* from = static_cast<const U*>(self.data());
    U* to = static_cast<U*>(out.data());
    ParallelFor(n, kGrain, [=](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) to[i] = from[at[i] + (at[i] >> 63 & size)];
    });
  });
  return true;
}

void Take(Call call, const Tensor& out, const Tensor& self, const Tensor& index) {
  if (TakeFlat(out, self, index)) return;
  const Tensor at = ElementOffsets(call, index, self);
  if (out.numel() == 0) return;
  const Tensor memory = MemoryOf(self);
  if (out.is_contiguous())
    return SelectSlices(Flat(out), memory, 0, at.data<int64_t>(), at.numel());
  const Tensor beside = Tensor::Empty({out.numel()}, out.dtype());
  SelectSlices(beside, memory, 0, at.data<int64_t>(), at.numel());
  std::vector<int64_t> strides(static_cast<size_t>(out.dim()));
  ContiguousStrides(out.sizes(), strides.data());
  CopyElements(out, beside.AsStrided(out.sizes(), strides, 0));
}

const Kernel kernel{"take", "cpu", kNumberOrBoolTypes, Take};

}  // namespace
}  // namespace sy::cpu
