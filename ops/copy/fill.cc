// Sets every element to `value`.
//   self: any sizes; value: a number or a 0-d tensor   →   like self
// Errors: kInvalidArgument when a number does not fit the dtype (16- and 8-bit floats take any) or
// value has dimensions.
// Example: sy::fill_(x, 3)
// Source: ATen fill_, zero_.
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void FillRule(Rule& r, const Meta& self, const Scalar& value) {
  // Source: ATen's fill kernel, which rounds to 16- and 8-bit floats: 70000 becomes infinity.
  constexpr DTypeMask kRounded = kHalfTypes | kFloat8Types;
  const bool imaginary = value.is_complex() && value.complex_data()[1] != 0;
  const bool rounds = Contains(kRounded, self.dtype()) && !imaginary;
  if (!rounds && !value.Fits(self.dtype()))
    r.Fail({"the number ", value.str(), " does not fit ", self.dtype()});
  r.OutputLike(self).pointwise = true;
  r.AllowSelfOverlap();
}

}  // namespace

const Operator fill_op{"fill.Scalar(Tensor self, Scalar value) -> Tensor", FillRule,
                       kInPlace | kOut};
const Operator fill_tensor_op{"fill.Tensor(Tensor self, Tensor value) -> Tensor", KeyRule::kFirst,
                              kInPlace | kOut};
const Operator zero_op{"zero(Tensor self) -> Tensor", KeyRule::kFirst, kInPlace | kOut};

}  // namespace sy
