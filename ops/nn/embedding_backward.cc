// What embedding passes back to weight: for each row the sum of the gradients of where it was
// looked up, with scale_grad_by_freq their mean. embedding_renorm shortens the rows that are
// looked up to a norm of at most max_norm.
//   grad_output, grad: indices' sizes and d, floating; indices: int64 or int32, each 0 …
//   num_weights - 1, or padding_idx, whose gradients are left out   →   [num_weights, d], dtype of
//   the gradient
//   self: [n, d], floating; norm_type: p of the norm   →   like self
// Errors: kInvalidArgument for indices that are no integers, sizes that do not fit, and sparse;
// kIndexOutOfRange for an index out of range.
// Example: sy::embedding_dense_backward(x, index, 3, -1, false)
// Source: ATen embedding_dense_backward, embedding_backward, embedding_renorm.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void DenseBackwardShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& indices,
                        int64_t num_weights, int64_t /*padding_idx*/, bool /*by_frequency*/) {
  RequireIndexDType(r, indices);
  RequireDType(r, grad_output, kFloatingTypes, "grad_output");
  const IntSpan sizes = grad_output.sizes();
  if (sizes.empty() || !SameSizes(sizes.first(sizes.size() - 1), indices.sizes())) {
    r.Fail({"grad_output must have indices' sizes and one more, got ", sizes, " for ",
            indices.sizes()});
  }
  r.Output({num_weights, sizes.back()}, grad_output.dtype());
}

void RenormShape(ShapeContext& r, const TensorBase& self, const TensorBase& indices,
                 double /*max_norm*/, double /*norm_type*/) {
  if (self.dim() != 2) r.Fail({"self must be a matrix, got sizes ", self.sizes()});
  RequireIndexDType(r, indices);
  RequireDType(r, self, kFloatingTypes);
  r.OutputLike(self).starts_as = 0;
  r.SetOverlap(OverlapPolicy::kForbid);
}

}  // namespace

const Operator embedding_dense_backward_op{
    "embedding_dense_backward(Tensor grad_output, Tensor indices, SymInt num_weights, SymInt "
    "padding_idx, bool scale_grad_by_freq) -> Tensor",
    DenseBackwardShape, kOut};
const Operator embedding_backward_op{
    "embedding_backward(Tensor grad, Tensor indices, SymInt num_weights, SymInt padding_idx, bool "
    "scale_grad_by_freq, bool sparse) -> Tensor",
    KeyRule::kFirst};
const Operator embedding_renorm_op{
    "embedding_renorm(Tensor self, Tensor indices, float max_norm, float norm_type) -> Tensor",
    RenormShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
