// Sets the slices of self at the positions in `index` along `dim` to one value.
//   self: [.., n, ..] (0-d: n = 1); index: [k] or 0-d, int64, each -n … n-1; value: a number or a
//   0-d tensor   →   like self
// Errors: kInvalidArgument when index has several dimensions or another dtype, value is not 0-d, or
// complex where self is not, or self overlaps index; kOutOfRange for dim; kIndexOutOfRange for a
// position out of range; kInvalidValue for a tensor's value that does not fit self's dtype. All
// positions are tested before anything is written.
// Example: sy::index_fill_(x, 0, index, 2.5)
// Source: ATen index_fill.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void IndexFillShape(ShapeContext& r, const TensorBase& self, int64_t& dim, const TensorBase& index,
                    const TensorBase& value) {
  dim = r.WrapDim(dim, self);
  if (index.dtype() != DType::kInt64) r.Fail({"index must be int64, got ", index.dtype()});
  if (index.dim() > 1) r.Fail({"index must be 0-d or 1-d, got sizes ", index.sizes()});
  if (value.dim() != 0) r.Fail({"value must be 0-d, got sizes ", value.sizes()});
  if (IsComplex(value.dtype()) && !IsComplex(self.dtype()))
    r.Fail({"a complex value does not fit ", self.dtype()});
  RequireStorable(r, value, self.dtype(), "value");
  r.OutputLike(self).starts_as = 0;
  // An element of self is a value like any other: ATen reads it first.
  const bool own = OverlapOf(self, value) != Overlap::kNo;
  r.SetOverlap(own ? OverlapPolicy::kTemporary : OverlapPolicy::kForbid);
  r.AllowSelfOverlap();
  r.SetPlaceOf(self);
}

}  // namespace

const Operator index_fill_tensor_op{
    "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    IndexFillShape, kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};
const Operator index_fill_scalar_op{
    "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    WithNumber<3>("index_fill.int_Tensor", IndexFillShape),
    kInPlace | kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
