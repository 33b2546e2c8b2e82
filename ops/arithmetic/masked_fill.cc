// Copies self with `value` in the places where `mask` is true.
//   self: any sizes; mask: bool, sizes that broadcast with self; value: a number or a 0-d tensor →
//   common sizes, dtype of self
// Errors: kInvalidArgument when mask is not bool or value has dimensions; kInvalidValue when value
// is out of the range of self's dtype (a fraction is cut off, and anything but 0 is true).
// Example: sy::masked_fill(x, sy::lt(x, 0), 0)
// Source: ATen masked_fill.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void MaskedFillShape(PointwiseContext& r, const TensorBase& self, const TensorBase& mask,
                     const TensorBase& value) {
  if (mask.dtype() != DType::kBool) r.Fail({"mask must be bool, got ", mask.dtype()});
  if (value.dim() != 0)
    r.Fail({"value must be a number or a 0-d tensor, got sizes ", value.sizes()});
  if (r.variant() == Variant::kInPlace && !IsExpandable(mask.sizes(), self.sizes())) {
    r.Fail({"mask of sizes ", mask.sizes(), " does not expand to self's ", self.sizes()});
  }
  RequireStorable(r, value, self.dtype(), "value");
  OutputSpec& o = r.PointwiseAs(self.dtype(), {&self, &mask});
  o.cast = CastPolicy::kSame;
  o.strides = nullptr;  // row-major, whatever self's order
  // An element of self is a value like any other: ATen reads it first.
  if (OverlapOf(self, value) != Overlap::kNo) r.SetOverlap(OverlapPolicy::kTemporary);
}

}  // namespace

const Operator masked_fill_op{
    "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor", MaskedFillShape,
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};
const Operator masked_fill_scalar_op{
    "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
    WithNumber<2>("masked_fill.Tensor", MaskedFillShape),
    kInPlace | kOut | Tags(OperatorTag::kSameDTypeOut) | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
