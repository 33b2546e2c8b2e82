// What distances of rows pass back: to x1 from those of all pairs of x1's and x2's rows, to self
// from those of its own pairs.
//   grad, cdist: [.., m, n]; x1: [.., m, d], x2: [.., n, d], batches that broadcast   →   x1's rows
//   in the common batch, [.., m, d]
//   grad, pdist: [m (m - 1) / 2]; self: [m, d]   →   like self; all one dtype, float32 or float64
// Errors: kInvalidArgument for sizes and dtypes that do not fit.
// Example: sy::_pdist_backward(sy::ones({1}), x, 2, sy::ones({1}))
// Source: ATen _cdist_backward, _pdist_backward.
#include <algorithm>

#include "switchyard/core/shape.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RequireDistances(ShapeContext& r, const TensorBase& grad, const TensorBase& x,
                      const TensorBase& distances) {
  RequireDType(r, x, Mask(DType::kFloat32, DType::kFloat64));
  RequireSameDType(r, x, grad, "the rows", "grad");
  RequireSameDType(r, x, distances, "the rows", "the distances");
  if (!SameSizes(grad.sizes(), distances.sizes())) {
    r.Fail(
        {"grad must have the sizes of the distances, ", distances.sizes(), ", got ", grad.sizes()});
  }
}

void CdistBackwardShape(ShapeContext& r, const TensorBase& grad, const TensorBase& x1,
                        const TensorBase& x2, double /*p*/, const TensorBase& cdist) {
  RequireDistances(r, grad, x1, cdist);
  RequireSameDType(r, x1, x2, "x1", "x2");
  if (x1.dim() < 2 || x2.dim() < 2 || x1.size(-1) != x2.size(-1))
    r.Fail({"x1 and x2 must be equally long rows, got sizes ", x1.sizes(), " and ", x2.sizes()});
  int64_t* sizes = r.Ints(std::max(x1.dim(), x2.dim()));
  const int batch = Broadcast(x1.sizes().first(x1.sizes().size() - 2),
                              x2.sizes().first(x2.sizes().size() - 2), sizes, r.op());
  sizes[batch] = x1.size(-2);
  sizes[batch + 1] = x2.size(-2);
  const IntSpan expected(sizes, static_cast<size_t>(batch) + 2);
  if (!SameSizes(grad.sizes(), expected))
    r.Fail({"grad must have sizes ", expected, ", got ", grad.sizes()});
  if (x1.size(-1) == 0 || grad.numel() == 0) {  // nothing is passed back, to x1 as it is
    r.OutputLike(x1);
    return;
  }
  sizes[batch + 1] = x1.size(-1);
  r.Output(expected, x1.dtype());
}

void PdistBackwardShape(ShapeContext& r, const TensorBase& grad, const TensorBase& self,
                        double /*p*/, const TensorBase& pdist) {
  RequireDistances(r, grad, self, pdist);
  const int64_t n = self.dim() == 2 ? self.sizes()[0] : 0;
  if (self.dim() != 2 || grad.dim() != 1 || grad.numel() != n * (n - 1) / 2) {
    r.Fail({"self must be a matrix and grad a number for each pair of its rows, got sizes ",
            self.sizes(), " and ", grad.sizes()});
  }
  r.Output(self.sizes(), self.dtype());
}

}  // namespace

const Operator cdist_backward_op{
    "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
    CdistBackwardShape, kOut};
const Operator pdist_backward_op{
    "_pdist_backward(Tensor grad, Tensor self, float p, Tensor pdist) -> Tensor",
    PdistBackwardShape, kOut};

}  // namespace sy
