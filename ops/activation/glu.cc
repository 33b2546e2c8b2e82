// The first half of self along `dim`, each element multiplied by the sigmoid of that of the second
// half.
//   self: [.., 2 n, ..], floating   →   [.., n, ..], dtype of self
// Errors: kInvalidArgument for a 0-d tensor and an odd size along dim, kOutOfRange for a dimension
// out of range.
// Example: sy::glu(x, -1)
// Source: ATen glu.
#include <algorithm>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void GluShape(ShapeContext& r, const TensorBase& self, int64_t& dim) {
  RequireDType(r, self, kFloatingTypes);
  if (self.dim() == 0) r.Fail({"self must have a dimension, got a 0-d tensor"});
  dim = r.WrapDim(dim, self);
  const int64_t n = self.dim();
  int64_t* sizes = r.Ints(n);
  std::copy(self.sizes().begin(), self.sizes().end(), sizes);
  if (sizes[dim] % 2 != 0)
    r.Fail({"the size along dim ", dim, " must be even, got ", self.sizes()});
  OutputSpec& o = r.OutputLike(self);
  o.cast = CastPolicy::kCan;
  sizes[dim] /= 2;
  o.sizes = sizes;
  if (o.strides == nullptr) return;
  // The halves' dimensions follow one another as self's do.
  int64_t order[kMaxRank];
  for (int64_t d = 0; d < n; ++d) order[d] = n - 1 - d;
  std::stable_sort(order, order + n,
                   [&](int64_t a, int64_t b) { return o.strides[a] < o.strides[b]; });
  int64_t* strides = r.Ints(n);
  int64_t step = 1;
  for (int64_t i = 0; i < n; ++i) {
    strides[order[i]] = step;
    step *= std::max<int64_t>(sizes[order[i]], 1);
  }
  o.strides = strides;
}

}  // namespace

const Operator glu_op{"glu(Tensor self, int dim=-1) -> Tensor", GluShape, kOut};

}  // namespace sy
