// Gradients of sorting and choosing by order: each value goes back to the position it came from.
#include <tuple>

#include "switchyard/autograd/gradient.h"
#include "switchyard/gradients/reduced.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Back(const Grad& g, const Tensor& indices, Like self, int64_t dim) {
  return value_selecting_reduction_backward(g, dim, indices, self.sizes(), true);
}
Tensor SortSelf(const Grad& g, Output<1> indices, Like self, int64_t dim, Unsaved) {
  return Back(g, indices, self, dim);
}
const Gradient sort_grad{"sort", For("self", SortSelf)};
Tensor StableSelf(const Grad& g, Output<1> indices, Like self, Unsaved, int64_t dim, Unsaved) {
  return Back(g, indices, self, dim);
}
const Gradient stable_grad{"sort.stable", For("self", StableSelf)};
Tensor TopkSelf(const Grad& g, Output<1> indices, Like self, Unsaved, int64_t dim, Unsaved,
                Unsaved) {
  return Back(g, indices, self, dim);
}
const Gradient topk_grad{"topk", For("self", TopkSelf)};
Tensor KthvalueSelf(const Grad& g, Output<1> indices, Like self, Unsaved, int64_t dim,
                    bool keepdim) {
  return value_selecting_reduction_backward(g, dim, indices, self.sizes(), keepdim);
}
const Gradient kthvalue_grad{"kthvalue", For("self", KthvalueSelf)};
Tensor PickedSelf(const Grad& g, Output<1> indices, Like self, int64_t dim, bool keepdim) {
  return value_selecting_reduction_backward(g, dim, indices, self.sizes(), keepdim);
}
const Gradient median_dim_grad{"median.dim", For("self", PickedSelf)};
const Gradient nanmedian_dim_grad{"nanmedian.dim", For("self", PickedSelf)};
const Gradient mode_grad{"mode", For("self", PickedSelf)};

Tensor MedianSelf(const Grad& g, Output<0> y, const Tensor& self) {
  return SharedByChosen(g, y, self, {});
}
const Gradient median_grad{"median", For("self", MedianSelf)};
const Gradient nanmedian_grad{"nanmedian", For("self", MedianSelf)};

Tensor Msort(const Tensor& self) { return std::get<0>(sort(self, 0)); }
const Decomposition msort_parts{"msort", Msort};

const NotDifferentiable orders{"argsort", "argsort.stable"};

}  // namespace
}  // namespace sy
