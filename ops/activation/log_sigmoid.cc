// log(1 / (1 + exp(-x))) of each element x.
//   self: any sizes, floating   →   sizes and dtype of self, row-major
// Errors: kNotImplemented for anything but floating tensors.
// Example: sy::log_sigmoid(x)
// Source: ATen log_sigmoid.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void LogSigmoidShape(PointwiseContext& r, const TensorBase& self) {
  UnaryOf<kFloatingTypes>(r, self);
  r.output(0).strides = nullptr;
}

}  // namespace

const Operator log_sigmoid_op{"log_sigmoid(Tensor self) -> Tensor", LogSigmoidShape, kOut,
                              kFormula<f::LogSigmoid>};

}  // namespace sy
