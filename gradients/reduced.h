// What a reduction gave, beside what it was given.
//
//   expand(Kept(g, dims, keepdim, self.dim()), self.sizes())
//
// Owns: nothing. Threads: any. Errors: the operators'.
#ifndef SWITCHYARD_GRADIENTS_REDUCED_H_
#define SWITCHYARD_GRADIENTS_REDUCED_H_

#include <vector>

#include "switchyard/ops.h"

namespace sy {

// With the dims that a reduction over `dims` (all, if there are none) dropped as 1 again.
inline Tensor Kept(const Tensor& t, IntSpan dims, bool keepdim, int64_t rank) {
  if (keepdim || rank == 0) return t;
  std::vector<bool> reduced(static_cast<size_t>(rank), dims.empty());
  for (int64_t d : dims) reduced[static_cast<size_t>(d < 0 ? d + rank : d)] = true;
  Tensor kept = t;
  for (int64_t d = 0; d < rank; ++d) {
    if (reduced[static_cast<size_t>(d)]) kept = unsqueeze(kept, d);
  }
  return kept;
}

// To all elements along `dims` where `mask` is true, the same share.
inline Tensor Shared(const Tensor& g, const Tensor& mask, IntSpan dims) {
  return mul(div(g, sum(mask, dims, true)), mask);
}
// To all that are the one which was chosen, NaN being equal to NaN.
inline Tensor SharedByChosen(const Tensor& g, const Tensor& chosen, const Tensor& x, IntSpan dims) {
  return Shared(g, logical_or(eq(x, chosen), logical_and(isnan(x), isnan(chosen))), dims);
}

}  // namespace sy

#endif  // SWITCHYARD_GRADIENTS_REDUCED_H_
