// What softmax passes back: (grad_output - sum(grad_output output)) output, sums along `dim`; and
// log_softmax: grad_output - sum(grad_output) e^output.
//   grad_output, output: same sizes, floating   →   like grad_output
// Errors: kInvalidArgument when sizes or dtypes differ, kOutOfRange for a dimension out of range.
// Example: sy::_softmax_backward_data(x, y, -1, sy::DType::kFloat32)
// Source: ATen _softmax_backward_data, _log_softmax_backward_data.
#include "switchyard/core/shape.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void SoftmaxBackwardShape(ShapeContext& r, const TensorBase& grad_output, const TensorBase& output,
                          int64_t& dim, DType input_dtype) {
  dim = r.WrapDim(dim, grad_output);
  if (!SameSizes(grad_output.sizes(), output.sizes())) {
    r.Fail({"grad_output and output must have the same sizes, got ", grad_output.sizes(), " and ",
            output.sizes()});
  }
  RequireSameDType(r, grad_output, output, "grad_output", "output");
  RequireDType(r, output, kFloatingTypes, "output");
  r.Output(grad_output.sizes(), input_dtype);
}

}  // namespace

const Operator softmax_backward_op{
    "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> "
    "Tensor",
    SoftmaxBackwardShape,
    Out("_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType "
        "input_dtype, *, Tensor(a!) grad_input) -> Tensor(a!)") |
        Tags(OperatorTag::kSameDTypeOut)};
const Operator log_softmax_backward_op{
    "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType "
    "input_dtype) -> Tensor",
    SoftmaxBackwardShape, kOut};

}  // namespace sy
