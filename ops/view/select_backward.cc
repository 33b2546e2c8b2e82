// What views pass back: a tensor of zeros in which grad_output has taken the place that the view
// showed (select, slice, diagonal). Where windows of unfold overlap, their gradients are summed.
//   grad_output: broadcasts to the view's sizes, any dtype; input_sizes: what was viewed; the
//   view's arguments →   input_sizes, dtype of grad_output
// Errors: those of the view; kInvalidArgument for a gradient that does not fit it.
// Example: sy::select_backward(x, {2, 2, 2}, 0, 1)
// Source: ATen select_backward, slice_backward, diagonal_backward, unfold_backward.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

template <class... A>
void ViewBackwardShape(ShapeContext& r, const TensorBase& grad, IntSpan input_sizes, A...) {
  r.Output(input_sizes, grad.dtype());
}

}  // namespace

const Operator select_backward_op{
    "select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor",
    ViewBackwardShape<int64_t, int64_t>, kOut};
const Operator slice_backward_op{
    "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, "
    "SymInt step) -> Tensor",
    ViewBackwardShape<int64_t, int64_t, int64_t, int64_t>, kOut};
const Operator diagonal_backward_op{
    "diagonal_backward(Tensor grad_output, SymInt[] input_sizes, int offset, int dim1, int dim2) "
    "-> Tensor",
    ViewBackwardShape<int64_t, int64_t, int64_t>, kOut};
const Operator unfold_backward_op{
    "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, int step) -> Tensor",
    ViewBackwardShape<int64_t, int64_t, int64_t>, kOut};

}  // namespace sy
