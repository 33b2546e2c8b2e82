// Gradients of distances between rows.
#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor CdistFirst(const Grad& g, Output<0> y, const Tensor& x1, const Tensor& x2, double p,
                  Unsaved) {
  return _cdist_backward(g, x1, x2, p, y);
}
// The distance is that of the other from the one.
Tensor CdistSecond(const Grad& g, Output<0> y, const Tensor& x1, const Tensor& x2, double p,
                   Unsaved) {
  return _cdist_backward(mT(g), x2, x1, p, mT(y));
}
const Gradient cdist_grad{"cdist", For("x1", CdistFirst), For("x2", CdistSecond)};
const Gradient cdist_forward_grad{"_cdist_forward", For("x1", CdistFirst), For("x2", CdistSecond)};

Tensor PdistSelf(const Grad& g, Output<0> y, const Tensor& self, double p) {
  return _pdist_backward(g, self, p, y);
}
const Gradient pdist_grad{"pdist", For("self", PdistSelf)};
const Gradient pdist_forward_grad{"_pdist_forward", For("self", PdistSelf)};

}  // namespace
}  // namespace sy
