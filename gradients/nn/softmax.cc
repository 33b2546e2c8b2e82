// Gradients of softmax and its logarithm.
#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor SoftmaxSelf(const Grad& g, Output<0> y, Like self, int64_t dim, Unsaved) {
  return _softmax_backward_data(g, y, dim, self.dtype());
}
const Gradient softmax_grad{"_softmax", For("self", SoftmaxSelf)};
const Gradient safe_softmax_grad{"_safe_softmax", For("self", SoftmaxSelf)};
Tensor LogSoftmaxSelf(const Grad& g, Output<0> y, Like self, int64_t dim, Unsaved) {
  return _log_softmax_backward_data(g, y, dim, self.dtype());
}
const Gradient log_softmax_grad{"_log_softmax", For("self", LogSoftmaxSelf)};

Tensor Softmax(const Tensor& self, int64_t dim, Optional<DType> dtype) {
  return _softmax(dtype ? to(self, *dtype) : self, dim, false);
}
const Decomposition softmax_parts{"softmax.int", Softmax};
Tensor LogSoftmax(const Tensor& self, int64_t dim, Optional<DType> dtype) {
  return _log_softmax(dtype ? to(self, *dtype) : self, dim, false);
}
const Decomposition log_softmax_parts{"log_softmax.int", LogSoftmax};

// What they pass back: y (g - Σ g y), and g - e^y Σ g.
Tensor SoftmaxBackwardGrad(const Grad& g, Like grad, const Tensor& y, int64_t dim, Unsaved) {
  return _softmax_backward_data(to(g, y.dtype()), y, dim, grad.dtype());
}
Tensor SoftmaxBackwardOutput(const Grad& g, const Tensor& grad, const Tensor& y, int64_t dim,
                             Unsaved) {
  const Tensor a = sum(mul(g, y), {dim}, true), b = sum(mul(grad, y), {dim}, true);
  return sub(sub(mul(g, grad), mul(g, b)), mul(grad, a));
}
const Gradient softmax_backward_grad{"_softmax_backward_data",
                                     For("grad_output", SoftmaxBackwardGrad),
                                     For("output", SoftmaxBackwardOutput)};
Tensor LogSoftmaxBackwardGrad(const Grad& g, Unsaved, const Tensor& y, int64_t dim, Unsaved) {
  return sub(g, sum(mul(g, exp(y)), {dim}, true));
}
Tensor LogSoftmaxBackwardOutput(const Grad& g, const Tensor& grad, const Tensor& y, int64_t dim,
                                Unsaved) {
  return mul(mul(neg(g), exp(y)), sum(grad, {dim}, true));
}
const Gradient log_softmax_backward_grad{"_log_softmax_backward_data",
                                         For("grad_output", LogSoftmaxBackwardGrad),
                                         For("output", LogSoftmaxBackwardOutput)};

}  // namespace
}  // namespace sy
