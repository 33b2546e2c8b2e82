// Sets every element to `value`; fill_diagonal_ those whose positions are equal in all dimensions,
// and with wrap, in a matrix taller than wide, those of further diagonals, a row apart.
//   self: any sizes; value: a number or a 0-d tensor   →   like self
// Errors: kInvalidArgument when a number does not fit the dtype (a single element of a 16- or 8-bit
// float takes any) or value has dimensions; of fill_diagonal_ for fewer than 2 dimensions, or more
// that differ in size.
// Example: sy::fill_(x, 3)
// Source: ATen fill_, zero_, fill_diagonal_.
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

const Operator fill_op{
    "fill.Scalar(Tensor self, Scalar value) -> Tensor", FillShape,
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator fill_tensor_op{
    "fill.Tensor(Tensor self, Tensor value) -> Tensor", KeyRule::kFirst,
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator zero_op{
    "zero(Tensor self) -> Tensor", KeyRule::kFirst,
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator fill_diagonal_op{
    "fill_diagonal_(Tensor(a!) self, Scalar fill_value, bool wrap=False) -> Tensor(a!)",
    KeyRule::kFirst};

}  // namespace sy
