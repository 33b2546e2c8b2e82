// Minus each element; integers wrap around.
//   self: any sizes, any dtype but bool   →   like self
// Errors: kInvalidArgument for bool.
// Example: sy::neg(x)
// Source: ATen neg, negative.
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void NegShape(PointwiseContext& r, const TensorBase& self) {
  if (self.dtype() == DType::kBool)
    r.Fail({"bool has no negative; use logical_not or ^ to invert it"});
  UnaryShape(r, self);
}

}  // namespace

const Operator neg_op{"neg(Tensor self) -> Tensor", NegShape, kInPlace | kOut, kFormula<f::Neg>};
const Operator negative_op{"negative(Tensor self) -> Tensor", SameKernels("neg", NegShape),
                           kInPlace | kOut};

}  // namespace sy
