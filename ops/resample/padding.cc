#include "switchyard/ops/resample/padding.h"

#include <algorithm>

namespace sy {

IntSpan PaddedSizes(ShapeContext& r, const TensorBase& self, IntSpan padding, int dims,
                    bool mirrored) {
  const int64_t rank = self.dim();
  const IntSpan x = self.sizes();
  if (padding.size() != static_cast<size_t>(2 * dims))
    r.Fail({"padding must have ", 2 * dims, " widths, got ", padding});
  const bool batched = rank == dims + 2;
  if ((rank != dims + 1 && !batched) ||
      std::any_of(x.begin() + (batched ? 1 : 0), x.end(), [](int64_t n) { return n == 0; })) {
    r.Fail({"self must have ", dims + 1, " dimensions or ", dims + 2,
            ", none of them empty but the batch, got sizes ", x});
  }
  int64_t* sizes = r.Ints(rank);
  std::copy_n(x.data(), rank, sizes);
  for (int i = 0; i < dims; ++i) {
    const int64_t d = rank - 1 - i, left = padding[2 * i], right = padding[2 * i + 1];
    if (mirrored && (left >= x[d] || right >= x[d])) {
      r.Fail({"mirrored borders must be narrower than the dimension, got ", left, " and ", right,
              " for dimension ", d, " of sizes ", x});
    }
    if (__builtin_add_overflow(x[d], left, &sizes[d]) ||
        __builtin_add_overflow(sizes[d], right, &sizes[d])) {
      r.Fail({"padding ", padding, " is too wide"});
    }
    if (sizes[d] < 1)
      r.Fail({"padding ", padding, " leaves nothing of dimension ", d, " of sizes ", x});
  }
  return {sizes, static_cast<size_t>(rank)};
}

}  // namespace sy
