// index and index_put, take and put: elements by several indices at once, by masks, and by their
// row-major numbers.

#include "backends/cuda/kernels/index.h"
#include "backends/cuda/kernels/masks.h"
#include "backends/cuda/kernels/rows.h"
#include "switchyard/core/error.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/index/advanced.h"

namespace sy::cuda {
namespace {

// Indices, on the device, alone: each mask becomes those of the dimensions it stands for.
std::vector<Tensor> IndicesAlone(Call call, const Tensor& self, TensorList indices) {
  std::vector<Tensor> there;
  for (const Tensor& t : indices)
    there.push_back(t.defined() && t.is_host() ? FromHost(t, self.device()) : t);
  return WithoutMasks(call.op(), self, there,
                      [&](const Tensor& mask) { return NonzeroPositions(call, mask); });
}

// The only index, where there is one.
const Tensor* OnlyIndex(const std::vector<Tensor>& indices, int64_t& dim) {
  const Tensor* only = nullptr;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d].defined()) continue;
    if (only != nullptr) return nullptr;
    only = &indices[d];
    dim = static_cast<int64_t>(d);
  }
  return only;
}

Places PlacesAt(Call call, const AdvancedIndex& at, const Tensor& self,
                std::vector<Tensor> indices) {
  for (Tensor& t : indices) {
    if (t.defined()) t = ExpandedTo(t, at.common());
  }
  return PlacesOf(call, self, indices, at.common());
}

void Select(Call call, const AdvancedIndex& at, const std::vector<Tensor>& indices,
            const Tensor& out, const Tensor& self) {
  if (out.numel() == 0) return;
  const Tensor to = at.Joined(out);
  if (!to.defined()) {
    const Tensor beside = Tensor::Empty(out.sizes(), out.dtype(), out.device());
    Select(call, at, indices, beside, self);
    return CopyElements(call, out, beside);
  }
  int64_t dim = 0;
  if (const Tensor* only = OnlyIndex(indices, dim)) {
    const Tensor list = Flat(Dense(call, *only, only->dtype()));
    return GatherElements(call, to, self, dim, IndexOfSlices(list, to.sizes(), dim), true);
  }
  const Places places = PlacesAt(call, at, self, indices);
  GatherElements(call, to, at.Moved(self, places.end), at.first(),
                 IndexOfSlices(places.keys, to.sizes(), at.first()), false, true);
}

void UnsafeIndex(Call call, const Tensor& out, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all = IndicesAlone(call, self, indices);
  Select(call, AdvancedIndex(call.op(), self, all), all, out, self);
}
Tensor Index(Call call, const Tensor& self, TensorList indices) {
  const std::vector<Tensor> all = IndicesAlone(call, self, indices);
  const AdvancedIndex at(call.op(), self, all);
  Tensor out = Tensor::EmptyStrided(at.sizes(), at.Strides(self, all), self.dtype(), self.device());
  Select(call, at, all, out, self);
  return out;
}

// One value wherever a mask of self's sizes is true: no places need be listed.
bool PutByMask(Call call, const Tensor& out, TensorList indices, const Tensor& values) {
  const bool fits = indices.size() == 1 && values.numel() == 1 && values.dim() <= 1 &&
                    indices[0].defined() && !indices[0].is_host() && IsMask(indices[0]) &&
                    SameSizes(indices[0].sizes(), out.sizes()) && !SelfOverlaps(out);
  if (!fits) return false;
  const Tensor mask = Dense(call, indices[0], DType::kBool);
  const Tensor value = values.is_host() ? FromHost(values, out.device()) : values;
  RunFormula(call, *Formula("where"), out, {&mask, &value, &out});
  return true;
}

void IndexPut(Call call, const Tensor& out, const Tensor&, TensorList indices, const Tensor& values,
              bool accumulate) {
  if (accumulate && !Contains(kCombined, out.dtype())) {
    Fail(ErrorCode::kNotImplemented, {call.op(), "(): no sums of ", out.dtype()});
  }
  if (!accumulate && PutByMask(call, out, indices, values)) return;
  const std::vector<Tensor> all = IndicesAlone(call, out, indices);
  const AdvancedIndex at(call.op(), out, all);
  const IntSpan sizes = at.sizes();
  if (!IsExpandable(values.sizes(), sizes)) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): values of sizes ", values.sizes(),
                                       " do not expand to the indexed sizes ", sizes});
  }
  if (NumElements(sizes) == 0) return;
  const Tensor given = values.is_host() ? FromHost(values, out.device()) : values;
  const Tensor expanded = ExpandedTo(given, sizes);
  Tensor from = at.Joined(expanded);
  if (!from.defined()) from = at.Joined(Dense(call, expanded, out.dtype()));
  const Combine how = accumulate ? Combine::kAdd : Combine::kCopy;
  int64_t dim = 0;
  const Tensor* only = OnlyIndex(all, dim);
  if (only != nullptr && !HasMask(indices) && !SelfOverlaps(out)) {
    const Tensor list = Flat(Dense(call, *only, only->dtype()));
    return PutElements(call, how, out, dim, IndexOfSlices(list, from.sizes(), dim), from,
                       {.wraps = true, .round_each = true});
  }
  Places places = PlacesAt(call, at, out, all);
  // A mask names no place twice, unless other indices do or places share memory.
  places.unique = indices.size() == 1 && HasMask(indices) && !SelfOverlaps(out);
  PutPlaces(call, how, at.Moved(out, places.end), at.first(), places, from, {.round_each = true});
}

const Kernel unsafe_index{"_unsafe_index.Tensor", "cuda", kAnyDType, UnsafeIndex};
const Kernel index{"index.Tensor", "cuda", kAnyDType, Index};
const Kernel index_put{"index_put", "cuda", kAnyDType, IndexPut};

// --- By row-major numbers

void Take(Call call, const Tensor& out, const Tensor& self, const Tensor& index) {
  if (out.numel() == 0) return;
  IntoDense(call, out, out.dtype(), [&](const Tensor& to) {
    GatherElements(call, Flat(to), Flat(Dense(call, self, self.dtype())), 0,
                   Flat(Dense(call, index, index.dtype())), true);
  });
}
void Put(Call call, const Tensor& out, const Tensor&, const Tensor& index, const Tensor& source,
         bool accumulate) {
  if (index.numel() == 0) return;
  const Tensor to = Dense(call, out, out.dtype());
  PutElements(call, accumulate ? Combine::kAdd : Combine::kCopy, Flat(to), 0,
              Flat(Dense(call, index, index.dtype())), Flat(Dense(call, source, source.dtype())),
              {.wraps = true, .round_each = true});
  if (!to.is_same(out)) CopyElements(call, out, to);
}

constexpr DTypeMask kTaken = kIntegers | kFloatingTypes | kComplexes | kBool;
const Kernel take{"take", "cuda", kTaken, Take};
const Kernel put{"put", "cuda", kTaken, Put};

}  // namespace
}  // namespace sy::cuda
