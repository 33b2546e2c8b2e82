#include "backends/cuda/engine/dense.h"
#include "backends/cuda/kernels/index/advanced.h"
#include "switchyard/backends/common/checks.h"
#include "switchyard/backends/common/views.h"
#include "switchyard/core/overlap.h"
#include "switchyard/core/shape.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops/formulas/compare.h"

namespace sy::cuda {
namespace {

// One value wherever a mask of self's sizes is true: no places need be listed.
bool PutByMask(Call call, const Tensor& out, TensorList indices, const Tensor& values) {
  const bool fits = indices.size() == 1 && values.numel() == 1 && values.dim() <= 1 &&
                    indices[0].defined() && !indices[0].is_host() && IsMask(indices[0]) &&
                    SameSizes(indices[0].sizes(), out.sizes()) && !SelfOverlaps(out);
  if (!fits) return false;
  const Tensor mask = Dense(call, indices[0], DType::kBool);
  const Tensor value = values.is_host() ? FromHost(values, out.device()) : values;
  RunFormula(call, kFormula<f::Where>, out, {&mask, &value, &out});
  return true;
}

void IndexPut(Call call, const Tensor& out, const Tensor&, TensorList indices, const Tensor& values,
              bool accumulate) {
  if (accumulate && !Contains(kCombineTypes, out.dtype())) FailSums(call, out.dtype());
  if (!accumulate && PutByMask(call, out, indices, values)) return;
  const std::vector<Tensor> all = IndicesAlone(call, out, indices);
  const AdvancedIndex at(call.op(), out, all);
  const IntSpan sizes = at.sizes();
  RequireExpandable(call, values, sizes);
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
  LinearIndices places = LinearIndicesAt(call, at, out, all);
  // A mask names no place twice, unless other indices do or places share memory.
  places.unique = indices.size() == 1 && HasMask(indices) && !SelfOverlaps(out);
  PutAtLinearIndices(call, how, at.Moved(out, places.end), at.first(), places, from,
                     {.round_each = true});
}

const Kernel index_put{"index_put", "cuda", kAnyDType, IndexPut};

}  // namespace
}  // namespace sy::cuda
