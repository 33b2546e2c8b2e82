// Joins tensors along a dimension they have.
//   tensors: one or more, same sizes except at dim, dtypes that promote; 1-d tensors without
//   elements do not count   →   the sum of the sizes at dim, common dtype
// Errors: kInvalidArgument for no tensors, 0-d ones, sizes that do not fit, or out= that overlaps
// an input; kOutOfRange for dim.
// Example: sy::cat({a, b}, 1)
// Source: ATen cat, concat, concatenate.
#include <algorithm>

#include "switchyard/core/checked.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// ATen's legacy: such tensors are skipped whatever their rank.
bool Counts(const TensorBase& t) { return !(t.dim() == 1 && t.sizes()[0] == 0); }

MemoryFormat CommonFormat(TensorList tensors) {
  const MemoryFormat first = tensors[0].suggest_memory_format();
  for (const Tensor& t : tensors) {
    if (t.suggest_memory_format() != first) return MemoryFormat::kContiguous;
  }
  return first;
}

void CatShape(ShapeContext& r, TensorList tensors, int64_t& dim) {
  if (tensors.empty()) r.Fail({"expected at least one tensor"});
  TypePromotion types;
  const Tensor* first = nullptr;  // that counts
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (!t.defined()) r.Fail({"tensor ", i, " is undefined"});
    if (t.dim() == 0) r.Fail({"tensor ", i, " is 0-d and cannot be joined"});
    types.Add(t);
    if (first == nullptr && Counts(t)) first = &t;
  }
  const DType dtype = types.Result();
  r.SetOverlap(OverlapPolicy::kForbid);
  if (first == nullptr) {
    dim = 0;  // ATen does not look at it
    r.Output({0}, dtype).cast = CastPolicy::kCan;
    return;
  }
  dim = r.WrapDim(dim, *first);
  int64_t* sizes = r.Ints(first->dim());
  std::copy(first->sizes().begin(), first->sizes().end(), sizes);
  sizes[dim] = 0;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const Tensor& t = tensors[i];
    if (!Counts(t)) continue;
    bool fits = t.dim() == first->dim();
    for (int64_t d = 0; fits && d < t.dim(); ++d)
      fits = d == dim || t.sizes()[d] == first->sizes()[d];
    if (!fits) {
      r.Fail({"sizes must match except at dim ", dim, ": expected like ", first->sizes(), ", got ",
              t.sizes(), " for tensor ", i});
    }
    sizes[dim] = CheckedSum(r, "the size at dim", sizes[dim], t.sizes()[dim]);
  }
  OutputInFormat(r, IntSpan(sizes, first->sizes().size()), dtype, CommonFormat(tensors)).cast =
      CastPolicy::kCan;
}

}  // namespace

const Operator cat_op{"cat(Tensor[] tensors, int dim=0) -> Tensor", CatShape, kOut};
const Operator concat_op{"concat(Tensor[] tensors, int dim=0) -> Tensor",
                         SameKernels("cat", CatShape), kOut};
const Operator concatenate_op{"concatenate(Tensor[] tensors, int dim=0) -> Tensor",
                              SameKernels("cat", CatShape), kOut};

}  // namespace sy
