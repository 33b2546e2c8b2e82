// What embedding_bag passes back to weight, and to per_sample_weights. For sums and means each row
// is given its bag's gradient, times its factor, or divided by the bag's size; for maxima each
// element of the gradient goes to the row that gave it.
//   grad: [bags, d], floating; indices: [k], offsets: [bags] or one more, int64 or int32;
//   offset2bag: [k], or empty: found from offsets; bag_size, maximum_indices: _embedding_bag's
//   →   [num_weights, d]; _embedding_bag_per_sample_weights_backward: [k], dtype of grad
// Errors: kInvalidArgument for sizes and dtypes that do not fit, other modes, sparse, factors
// unless for sums; kIndexOutOfRange for an index out of range.
// Example: sy::_embedding_bag_per_sample_weights_backward(x, y, index, index, index, 0)
// Source: ATen _embedding_bag_backward, _embedding_bag_dense_backward,
// _embedding_bag_per_sample_weights_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void RequireBags(const ShapeContext& r, const TensorBase& grad, const TensorBase& indices,
                 int64_t mode) {
  RequireDType(r, grad, kFloatingTypes, "grad");
  RequireIndexDType(r, indices);
  if (grad.dim() != 2 || indices.dim() != 1) {
    r.Fail({"grad must be a matrix and indices 1-d, got sizes ", grad.sizes(), " and ",
            indices.sizes()});
  }
  if (mode < 0 || mode > 2) r.Fail({"mode must be 0, 1 or 2, got ", mode});
}

void DenseBackwardShape(ShapeContext& r, const TensorBase& grad, const TensorBase& indices,
                        const TensorBase& offset2bag, const TensorBase& bag_size,
                        const TensorBase& maximum_indices, int64_t num_weights,
                        bool /*by_frequency*/, int64_t mode, const TensorBase& per_sample_weights,
                        int64_t /*padding_idx*/) {
  RequireBags(r, grad, indices, mode);
  if (per_sample_weights.defined() && mode != 0)
    r.Fail({"per_sample_weights are for sums (mode 0), got mode ", mode});
  if (mode != 2 && offset2bag.numel() != indices.numel()) {
    r.Fail(
        {"offset2bag must have indices' sizes, ", indices.sizes(), ", got ", offset2bag.sizes()});
  }
  if (mode == 1 && bag_size.numel() != grad.sizes()[0])
    r.Fail({"bag_size must have a number for each row of grad, got ", bag_size.sizes()});
  if (mode == 2 && !SameSizes(maximum_indices.sizes(), grad.sizes())) {
    r.Fail({"maximum_indices must have grad's sizes, ", grad.sizes(), ", got ",
            maximum_indices.sizes()});
  }
  r.Output({num_weights, grad.sizes()[1]}, grad.dtype());
}

void WeightsBackwardShape(ShapeContext& r, const TensorBase& grad, const TensorBase& weight,
                          const TensorBase& indices, const TensorBase& /*offsets*/,
                          const TensorBase& offset2bag, int64_t mode, int64_t /*padding_idx*/) {
  RequireBags(r, grad, indices, mode);
  if (mode != 0) r.Fail({"per_sample_weights are for sums (mode 0), got mode ", mode});
  RequireSameDType(r, grad, weight, "grad", "weight");
  if (weight.dim() != 2 || weight.sizes()[1] != grad.sizes()[1]) {
    r.Fail({"weight must be a matrix with grad's columns, got sizes ", weight.sizes(), " and ",
            grad.sizes()});
  }
  if (offset2bag.numel() != 0 && offset2bag.numel() != indices.numel()) {
    r.Fail({"offset2bag must be empty or have indices' sizes, ", indices.sizes(), ", got ",
            offset2bag.sizes()});
  }
  r.Output({indices.numel()}, grad.dtype());
}

}  // namespace

const Operator embedding_bag_backward_op{
    "_embedding_bag_backward(Tensor grad, Tensor indices, Tensor offsets, Tensor offset2bag, "
    "Tensor bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int "
    "mode, bool sparse, Tensor? per_sample_weights, int padding_idx=-1) -> Tensor",
    KeyRule::kFirst};
const Operator embedding_bag_dense_backward_op{
    "_embedding_bag_dense_backward(Tensor grad, Tensor indices, Tensor offset2bag, Tensor "
    "bag_size, Tensor maximum_indices, SymInt num_weights, bool scale_grad_by_freq, int mode, "
    "Tensor? per_sample_weights, int padding_idx=-1) -> Tensor",
    DenseBackwardShape, kOut};
const Operator embedding_bag_weights_backward_op{
    "_embedding_bag_per_sample_weights_backward(Tensor grad, Tensor weight, Tensor indices, Tensor "
    "offsets, Tensor offset2bag, int mode, int padding_idx=-1) -> Tensor",
    WeightsBackwardShape, kOut};

}  // namespace sy
