// Each element, multiplied by its channel's weight where it is below 0.
//   self: [n, channels, ..], or of 0 or 1 dimensions, which is one channel; weight: one element,
//   or [channels], of self's dtype, floating   →   like self
// Errors: kInvalidArgument when weight fits neither, or dtypes differ.
// Example: sy::prelu(x, a)
// Source: ATen prelu, _prelu_kernel.
#include "switchyard/ops/formulas/activation.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void PreluKernelShape(PointwiseContext& r, const TensorBase& self, const TensorBase& weight) {
  RequireSameDType(r, self, weight, "self", "weight");
  BinaryOf<kFloatingTypes>(r, self, weight);
}

}  // namespace

const Operator prelu_op{"prelu(Tensor self, Tensor weight) -> Tensor", KeyRule::kFirst};
// With a weight that broadcasts.
const Operator prelu_kernel_op{"_prelu_kernel(Tensor self, Tensor weight) -> Tensor",
                               PreluKernelShape,
                               {},
                               kFormula<f::Prelu>};

}  // namespace sy
