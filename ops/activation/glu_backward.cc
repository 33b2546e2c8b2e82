// What glu passes back to both halves of self along `dim`.
//   grad_output: [.., n, ..]; self: [.., 2 n, ..], of one floating dtype   →   like self
// Errors: kInvalidArgument for a 0-d tensor, an odd size along dim, other sizes of grad_output and
// another dtype; kOutOfRange for a dimension out of range.
// Example: sy::glu_backward(g, x, -1)
// Source: ATen glu_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void GluBackwardShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& self,
                      int64_t& dim) {
  RequireDType(r, self, kFloatingTypes);
  RequireSameDType(r, grad_output, self, "grad_output", "self");
  if (self.dim() == 0) r.Fail({"self must have a dimension, got a 0-d tensor"});
  dim = r.WrapDim(dim, self);
  if (self.sizes()[dim] % 2 != 0)
    r.Fail({"the size along dim ", dim, " must be even, got ", self.sizes()});
  bool fits = grad_output.dim() == self.dim();
  for (int64_t d = 0; fits && d < self.dim(); ++d)
    fits = grad_output.sizes()[d] == self.sizes()[d] / (d == dim ? 2 : 1);
  if (!fits) {
    r.Fail({"grad_output must have half of self's sizes ", self.sizes(), " along dim ", dim,
            ", got ", grad_output.sizes()});
  }
  r.Output(self.sizes(), self.dtype());
}

}  // namespace

const Operator glu_backward_op{
    "glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor", GluBackwardShape,
    Out("glu_backward.grad_input(Tensor grad_output, Tensor self, int dim, *, Tensor(a!) "
        "grad_input) -> Tensor(a!)")};

}  // namespace sy
