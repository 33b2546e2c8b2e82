// index and index_put: indices become offsets into self's memory once, slices are moved by them.
#include <algorithm>
#include <utility>
#include <vector>

#include "backends/cpu/kernels/combine.h"
#include "backends/cpu/kernels/dense.h"
#include "backends/cpu/kernels/masks.h"
#include "backends/cpu/kernels/move.h"
#include "backends/cpu/kernels/outer.h"
#include "backends/cpu/kernels/slices.h"
#include "backends/cpu/kernels/wrapped_positions.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/shape.h"
#include "switchyard/ops/index/advanced.h"

namespace sy::cpu {
namespace {

using Ints = std::vector<int64_t>;
constexpr int64_t kGrain = 1 << 15;  // elements worth a thread

std::vector<Tensor> IndicesAlone(Call call, const Tensor& self, TensorList indices) {
  return WithoutMasks(call.op(), self, indices, NonzeroPositions);
}

// What the places are that `indices` name in self.
struct Places {
  AdvancedIndex at;
  Tensor offsets;  // int64, contiguous, the indices' common sizes: from self's first element

  Places(Call call, const Tensor& self, const std::vector<Tensor>& indices)
      : at(call.op(), self, indices), offsets(Tensor::Empty(at.common(), DType::kInt64)) {
    bool first = true;
    for (size_t d = 0; d < indices.size(); ++d) {
      if (!indices[d].defined()) continue;
      const int64_t dim = static_cast<int64_t>(d);
      AddOffsets(call, offsets, ExpandedTo(indices[d], at.common()), dim, self.sizes()[d],
                 self.strides()[d], std::exchange(first, false));
    }
  }
  int64_t count() const { return offsets.numel(); }
  Tensor Moved(const Tensor& self) const { return at.Moved(self, 1); }
  // The offsets, as an index of elements of what Moved gives.
  Tensor Index(const Tensor& self) const {
    const Tensor moved = Moved(self);
    Ints sizes(moved.sizes().begin(), moved.sizes().end()), strides(sizes.size(), 0);
    sizes[static_cast<size_t>(at.first())] = count();
    strides[static_cast<size_t>(at.first())] = 1;
    return offsets.AsStrided(sizes, strides, 0);
  }
};

void Select(const Places& places, const Tensor& out, const Tensor& self) {
  if (out.numel() == 0) return;
  const Tensor to = places.at.Joined(out);
  if (!to.defined()) {
    const Tensor beside = Tensor::Empty(out.sizes(), out.dtype());
    Select(places, beside, self);
    return CopyElements(out, beside);
  }
  SelectSlices(to, places.Moved(self), places.at.first(), places.offsets.data<int64_t>(),
               places.count());
}

void UnsafeIndex(Call call, const Tensor& out, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all(indices.begin(), indices.end());
  Select(Places(call, self, all), out, self);
}

Tensor IndexTensor(Call call, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all = IndicesAlone(call, self, indices);
  const Places places(call, self, all);
  Tensor out = Tensor::EmptyStrided(places.at.sizes(), places.at.Strides(self, all), self.dtype());
  Select(places, out, self);
  return out;
}

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
  if (accumulate && !Contains(kCombineTypes, out.dtype())) {
    Fail(ErrorCode::kNotImplemented, {call.op(), "(): no sums of ", out.dtype()});
  }
  if (!accumulate && !SelfOverlaps(out) && PutByMask(out, indices, values)) return;
  const Places places(call, out, IndicesAlone(call, out, indices));
  const Ints& sizes = places.at.sizes();
  if (!IsExpandable(values.sizes(), sizes)) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): values of sizes ", values.sizes(),
                                       " do not expand to the indexed sizes ", IntSpan(sizes)});
  }
  if (NumElements(sizes) == 0) return;
  const Tensor expanded = ExpandedTo(values, sizes);
  Tensor from = places.at.Joined(expanded);
  if (!from.defined()) from = places.at.Joined(Contiguous(expanded));
  const Tensor to = places.Moved(out);
  if (!accumulate && to.numel() == 1) {  // one dimension, which threads can share
    const int64_t extent[] = {StorageExtent(out.sizes(), out.strides())}, one[] = {1};
    const int64_t n[] = {places.count()}, stride[] = {from.strides()[places.at.first()]};
    return PutSlices(out.AsStrided(extent, one, out.storage_offset()), 0,
                     places.offsets.data<int64_t>(), n[0],
                     from.AsStrided(n, stride, from.storage_offset()));
  }
  CombineElements(accumulate ? Combine::kAdd : Combine::kCopy, to, places.at.first(),
                  places.Index(out), from, {.round_each = true});
}

const Kernel unsafe_index_kernel{"_unsafe_index.Tensor", "cpu", kAnyDType, UnsafeIndex};
const Kernel index_kernel{"index.Tensor", "cpu", kAnyDType, IndexTensor};
const Kernel index_put_kernel{"index_put", "cpu", kAnyDType, IndexPut};

}  // namespace
}  // namespace sy::cpu
