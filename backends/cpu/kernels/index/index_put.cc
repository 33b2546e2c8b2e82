// index_put: indices become offsets into self's memory once, elements are put by them.
#include <algorithm>
#include <vector>

#include "backends/cpu/kernels/index/combine_elements.h"
#include "backends/cpu/kernels/index/element_offsets.h"
#include "backends/cpu/kernels/index/index_places.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/backends/cpu/engine/slices.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 15;  // elements worth a thread

// One value wherever a mask of self's sizes is true: no places need be listed.
bool PutByMask(const Tensor& out, TensorList indices, const Tensor& values) {
  const bool fits = indices.size() == 1 && values.numel() == 1 && indices[0].defined() &&
                    IsMask(indices[0]) && SameSizes(indices[0].sizes(), out.sizes()) &&
                    values.dim() <= 1;
  if (!fits) return false;
  Outer<2> all;
  for (int64_t d = out.dim() - 1; d >= 0; --d)
    all.Add(out.sizes()[d], {out.strides()[d], indices[0].strides()[d]});
  const auto inner = all.TakeInnermost();
  const auto* mask = static_cast<const uint8_t*>(indices[0].data());
  VisitItem(out.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(out.data());
    const U value = *static_cast<const U*>(values.data());
    const auto row = [&](int64_t begin, int64_t end, const int64_t(&at)[2]) {
      U* places = to + at[0];
      const uint8_t* marks = mask + at[1];
      if (inner.strides[0] == 1 && inner.strides[1] == 1) {
        for (int64_t j = begin; j < end; ++j) places[j] = marks[j] != 0 ? value : places[j];
        return;
      }
      for (int64_t j = begin; j < end; ++j) {
        U& place = places[j * inner.strides[0]];
        place = marks[j * inner.strides[1]] != 0 ? value : place;
      }
    };
    if (all.count() == 1) {
      constexpr int64_t kStart[2] = {};
      ParallelFor(inner.size, kGrain, [&](int64_t b, int64_t e) { row(b, e, kStart); });
    } else {
      ParallelFor(all.count(), std::max<int64_t>(1, kGrain / std::max<int64_t>(1, inner.size)),
                  [&](int64_t b, int64_t e) {
                    all.ForEach(b, e, [&](const int64_t(&at)[2]) { row(0, inner.size, at); });
                  });
    }
  });
  return true;
}

void IndexPut(Call call, const Tensor& out, const Tensor&, TensorList indices, const Tensor& values,
              bool accumulate) {
  if (accumulate && !Contains(kCombineTypes, out.dtype())) FailSums(call, out.dtype());
  if (!accumulate && !SelfOverlaps(out) && PutByMask(out, indices, values)) return;
  const IndexPlaces places(call, out, IndicesAlone(call, out, indices));
  const std::vector<int64_t>& sizes = places.at.sizes();
  RequireExpandable(call, values, sizes);
  if (NumElements(sizes) == 0) return;
  const Tensor expanded = ExpandedTo(values, sizes);
  Tensor from = places.at.Joined(expanded);
  if (!from.defined()) from = places.at.Joined(Contiguous(expanded));
  const Tensor to = places.Moved(out);
  if (!accumulate && to.numel() == 1) {  // one dimension, which threads can share
    const int64_t n[] = {places.count()}, stride[] = {from.strides()[places.at.first()]};
    return PutSlices(MemoryOf(out), 0, places.offsets.data<int64_t>(), n[0],
                     from.AsStrided(n, stride, from.storage_offset()));
  }
  CombineElements(accumulate ? Combine::kAdd : Combine::kCopy, to, places.at.first(),
                  places.Index(out), from, {.round_each = true});
}

const Kernel kernel{"index_put", "cpu", kAnyDType, IndexPut};

}  // namespace
}  // namespace sy::cpu
