// x times the probability that a normally distributed number is below it, of each element x.
//   self: any sizes, floating; approximate: "none", or "tanh" for a formula with tanh   →   like
//   self
// Errors: kInvalidArgument for another approximation, kNotImplemented for anything but floating
// tensors.
// Example: sy::gelu(x, "tanh")
// Source: ATen gelu.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void GeluShape(PointwiseContext& r, const TensorBase& self, std::string_view approximate) {
  if (approximate != "none" && approximate != "tanh")
    r.Fail({"approximate must be 'none' or 'tanh', got '", approximate, "'"});
  UnaryOf<kFloatingTypes>(r, self);
}

}  // namespace

const Operator gelu_op{"gelu(Tensor self, *, str approximate=\"none\") -> Tensor", GeluShape,
                       kInPlace | kOut};

}  // namespace sy
