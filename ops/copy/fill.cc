// Sets every element to `value`.
//   self: any sizes; value: a number or a 0-d tensor   →   like self
// Errors: kInvalidArgument when a number does not fit the dtype (a single element of a 16- or 8-bit
// float takes any) or value has dimensions.
// Example: sy::fill_(x, 3)
// Source: ATen fill_, zero_.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void FillShape(ShapeContext& r, const TensorBase& self, const Scalar& value) {
  // Source: ATen's fill_out, which gives a single element its number by a conversion.
  if (self.numel() == 1) {
    RequireConvertible(r, value, self.dtype(), "value");
  } else {
    RequireStorable(r, value, self.dtype(), "value");
  }
  r.OutputLike(self).pointwise = true;
  r.AllowSelfOverlap();
}

}  // namespace

const Operator fill_op{"fill.Scalar(Tensor self, Scalar value) -> Tensor", FillShape,
                       kInPlace | kOut};
const Operator fill_tensor_op{"fill.Tensor(Tensor self, Tensor value) -> Tensor", KeyRule::kFirst,
                              kInPlace | kOut};
const Operator zero_op{"zero(Tensor self) -> Tensor", KeyRule::kFirst, kInPlace | kOut};

}  // namespace sy
