// Checks of operators that combine slices of `source` with those of self at the positions in a 1-d
// index: index_copy, index_add, index_reduce.
#ifndef SWITCHYARD_OPS_INDEX_SOURCE_SLICES_H_
#define SWITCHYARD_OPS_INDEX_SOURCE_SLICES_H_

#include "switchyard/ops/shape_functions.h"

namespace sy {

// Whether all sizes but the one at dim are equal.
inline bool SameSlices(const TensorBase& self, const TensorBase& source, int64_t dim) {
  const int64_t a = self.dim() == 0 ? 0 : self.dim() - 1,
                b = source.dim() == 0 ? 0 : source.dim() - 1;
  if (a != b) return false;
  for (int64_t i = 0; i < a; ++i) {
    const int64_t d = i < dim ? i : i + 1;
    if (self.sizes()[d] != source.sizes()[d]) return false;
  }
  return true;
}

// States an output that starts as self. Source: index_func_meta_impl,
// ATen/native/TensorAdvancedIndexing.cpp.
SY_API void SourceSlicesShape(ShapeContext& r, const TensorBase& self, int64_t& dim,
                              const TensorBase& index, const TensorBase& source);

}  // namespace sy

#endif  // SWITCHYARD_OPS_INDEX_SOURCE_SLICES_H_
