// What operators that pick elements pass back: zeros, and each element's gradient where it was
// picked; those of one that was picked twice are summed. value_selecting_reduction_backward: one
// that a reduction picked along `dim`.
//   grad: the sizes of what was picked, any dtype; sizes, self, input: of what it was picked from
//   →   those sizes, dtype of grad; masked_scatter_backward: sizes, the gradient of the source.
// Errors: kInvalidArgument for shapes and dtypes that do not fit, sparse_grad, and more picked
// elements than `sizes` has; kIndexOutOfRange for an index out of range.
// Example: sy::index_select_backward(x, {2, 2}, 0, index)
// Source: ATen index_select_backward, gather_backward, value_selecting_reduction_backward,
// masked_select_backward, masked_scatter_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MaskedScatterBackwardShape(ShapeContext& r, const TensorBase& grad_output,
                                const TensorBase& mask, IntSpan sizes) {
  if (mask.dtype() != DType::kBool) r.Fail({"mask must be bool, got ", mask.dtype()});
  r.Output(sizes, grad_output.dtype());
}

}  // namespace

const Operator index_select_backward_op{
    "index_select_backward(Tensor grad, SymInt[] self_sizes, int dim, Tensor index) -> Tensor",
    KeyRule::kFirst};
const Operator gather_backward_op{
    "gather_backward(Tensor grad, Tensor self, int dim, Tensor index, bool sparse_grad) -> Tensor",
    KeyRule::kFirst};
const Operator value_selecting_reduction_backward_op{
    "value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, SymInt[] sizes, bool "
    "keepdim) -> Tensor",
    KeyRule::kFirst};
const Operator masked_select_backward_op{
    "masked_select_backward(Tensor grad, Tensor input, Tensor mask) -> Tensor", KeyRule::kFirst};
const Operator masked_scatter_backward_op{
    "masked_scatter_backward(Tensor grad_output, Tensor mask, SymInt[] sizes) -> Tensor",
    MaskedScatterBackwardShape};

}  // namespace sy
