// take and put: elements of a tensor by their row-major numbers.
#include <vector>

#include "backends/cpu/kernels/combine.h"
#include "backends/cpu/kernels/dense.h"
#include "backends/cpu/kernels/move.h"
#include "backends/cpu/kernels/positions.h"
#include "backends/cpu/kernels/slices.h"
#include "backends/cpu/kernels/wrapped_positions.h"
#include "switchyard/backends/cpu/engine/copy.h"
#include "switchyard/backends/cpu/parallel.h"
#include "switchyard/core/shape.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrain = 1 << 14;  // positions worth a thread

// Where the elements with these numbers lie in t.
Tensor Offsets(Call call, const Tensor& index, const Tensor& t) {
  const Tensor at = WrappedPositions(call, index, 0, t.numel());
  OffsetsOfElements(at, t);
  return at;
}

// t's memory, from its first element to its last, as a vector.
Tensor Memory(const Tensor& t) {
  const int64_t extent[] = {StorageExtent(t.sizes(), t.strides())}, one[] = {1};
  return t.AsStrided(extent, one, t.storage_offset());
}

Tensor Flat(const Tensor& t) {
  const Tensor whole = Contiguous(t);
  const int64_t n[] = {t.numel()}, one[] = {1};
  return whole.AsStrided(n, one, whole.storage_offset());
}

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
  const Tensor at = Offsets(call, index, self);
  if (out.numel() == 0) return;
  const Tensor memory = Memory(self);
  if (out.is_contiguous())
    return SelectSlices(Flat(out), memory, 0, at.data<int64_t>(), at.numel());
  const Tensor beside = Tensor::Empty({out.numel()}, out.dtype());
  SelectSlices(beside, memory, 0, at.data<int64_t>(), at.numel());
  std::vector<int64_t> strides(static_cast<size_t>(out.dim()));
  ContiguousStrides(out.sizes(), strides.data());
  CopyElements(out, beside.AsStrided(out.sizes(), strides, 0));
}

void Put(Call call, const Tensor& out, const Tensor&, const Tensor& index, const Tensor& source,
         bool accumulate) {
  const Tensor at = Offsets(call, index, out);
  if (at.numel() == 0) return;
  const Tensor from = Flat(source), memory = Memory(out);
  if (!accumulate) return PutSlices(memory, 0, at.data<int64_t>(), at.numel(), from);
  CombineElements(Combine::kAdd, memory, 0, Flat(at), from, {.round_each = true});
}

constexpr DTypeMask kTypes = kIntegerTypes | kFloatingTypes | kComplexTypes | Bit(DType::kBool);
const Kernel take_kernel{"take", "cpu", kTypes, Take};
const Kernel put_kernel{"put", "cpu", kTypes, Put};

}  // namespace
}  // namespace sy::cpu
