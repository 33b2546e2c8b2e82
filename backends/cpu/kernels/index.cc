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

// Indices alone: each mask becomes those of the dimensions that it stands for.
std::vector<Tensor> WithoutMasks(Call call, const Tensor& self, TensorList indices) {
  std::vector<Tensor> all;
  for (const Tensor& t : indices) {
    if (!t.defined() || !IsMask(t)) {
      all.push_back(t);
      continue;
    }
    RequireMaskFits(call.op(), self, t, static_cast<int64_t>(all.size()));
    const Tensor at = NonzeroPositions(t);
    const int64_t n[] = {at.sizes()[1]}, one[] = {1};
    for (int64_t d = 0; d < t.dim(); ++d) all.push_back(at.AsStrided(n, one, d * n[0]));
  }
  return all;
}

Tensor Expanded(const Tensor& t, const Ints& sizes) {
  Ints strides(sizes.size(), 0);
  const size_t own = t.sizes().size(), skip = sizes.size() - own;
  for (size_t d = 0; d < own; ++d) {
    if (t.sizes()[d] == sizes[skip + d]) strides[skip + d] = t.strides()[d];
  }
  return t.AsStrided(sizes, strides, t.storage_offset());
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
      AddOffsets(call, offsets, Expanded(indices[d], at.common()), dim, self.sizes()[d],
                 self.strides()[d], std::exchange(first, false));
    }
  }
  int64_t count() const { return offsets.numel(); }

  // self with its indexed dimensions as one, along which it moves by offsets.
  Tensor Moved(const Tensor& self) const {
    return WithOneDim(self, 1, 1, [&](size_t i) {
      return std::pair(self.sizes()[at.order()[i]], self.strides()[at.order()[i]]);
    });
  }
  // The offsets, as an index of elements of what Moved gives.
  Tensor Index(const Tensor& self) const {
    return WithOneDim(offsets, count(), 1,
                      [&](size_t i) { return std::pair(self.sizes()[at.order()[i]], int64_t{0}); });
  }
  // t, of the result's sizes, with the indices' dimensions as one; undefined where these do not
  // lie in memory like one.
  Tensor Joined(const Tensor& t) const {
    const size_t first = static_cast<size_t>(at.first()), n = at.common().size();
    const int64_t one[] = {count()};
    int64_t stride = 1;
    if (!ViewStrides(t.sizes().subspan(first, n), t.strides().subspan(first, n), count(), one,
                     &stride))
      return Tensor();
    return WithOneDim(t, count(), stride, [&](size_t i) {
      const size_t d = i < first ? i : i - static_cast<size_t>(at.num_indexed()) + n;
      return std::pair(t.sizes()[d], t.strides()[d]);
    });
  }

 private:
  template <class F>
  Tensor WithOneDim(const Tensor& t, int64_t size, int64_t stride, F other) const {
    Ints sizes, strides;
    for (size_t i = 0; i <= at.order().size(); ++i) {
      const int64_t k = static_cast<int64_t>(i);
      if (k == at.first()) {
        sizes.push_back(size);
        strides.push_back(stride);
      }
      if (i == at.order().size() || (k >= at.first() && k < at.first() + at.num_indexed()))
        continue;
      const auto [s, d] = other(i);
      sizes.push_back(s);
      strides.push_back(d);
    }
    return t.AsStrided(sizes, strides, t.storage_offset());
  }
};

void Select(const Places& places, const Tensor& out, const Tensor& self) {
  if (out.numel() == 0) return;
  const Tensor to = places.Joined(out);
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
  const std::vector<Tensor> all = WithoutMasks(call, self, indices);
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
  const Places places(call, out, WithoutMasks(call, out, indices));
  const Ints& sizes = places.at.sizes();
  if (!IsExpandable(values.sizes(), sizes)) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): values of sizes ", values.sizes(),
                                       " do not expand to the indexed sizes ", IntSpan(sizes)});
  }
  if (NumElements(sizes) == 0) return;
  const Tensor expanded = Expanded(values, sizes);
  Tensor from = places.Joined(expanded);
  if (!from.defined()) from = places.Joined(Contiguous(expanded));
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
