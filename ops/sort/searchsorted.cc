// Where each number would have to be inserted into a sorted sequence to keep it sorted: before
// equal ones, or, with `right`, after them. NaN goes last.
//   sorted_sequence (bucketize: boundaries): [n], or (searchsorted) [b.., n], ascending; self: any
//   sizes, or [b.., k], or a number; real, not bool, dtypes that promote   →   sizes of self, int64
//   (int32 with out_int32)
// side: 'left' or 'right', another way to say `right`. sorter: int64, sizes of sorted_sequence:
// where its elements are in ascending order.
// Errors: kInvalidArgument when sizes or dtypes do not fit or side contradicts right;
// kIndexOutOfRange for a position in sorter that is out of range.
// Example: sy::bucketize(x, y)
// Source: ATen searchsorted, bucketize.
#include <climits>

#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

constexpr DTypeMask kSearchTypes = kIntegerTypes | kFloatingTypes;

void State(ShapeContext& r, const TensorBase& sequence, const TensorBase& self, bool out_int32) {
  TypePromotion types;
  types.Add(sequence);
  types.Add(self);
  const DType common = types.Result();
  if (sequence.numel() != 0 && self.numel() != 0 && !Contains(kSearchTypes, common)) {
    r.Fail(ErrorCode::kNotImplemented,
           {"expected real numbers, not bool, got ", sequence.dtype(), " and ", self.dtype()});
  }
  if (out_int32 && sequence.sizes().back() >= INT_MAX)
    r.Fail({"positions among ", sequence.sizes().back(), " elements do not fit int32"});
  r.Output(self.sizes(), out_int32 ? DType::kInt32 : DType::kInt64);
  r.SetComputeDType(common);
  r.SetPlaceOf(sequence);
}

void SearchsortedShape(ShapeContext& r, const TensorBase& sequence, const TensorBase& self,
                       bool out_int32, bool right, std::optional<std::string_view> side,
                       const TensorBase& sorter) {
  if (side && *side != "left" && *side != "right")
    r.Fail({"side must be 'left' or 'right', got '", *side, "'"});
  if (side && right && *side == "left") r.Fail({"side is 'left', but right is set"});
  if (sequence.dim() == 0) r.Fail({"sorted_sequence must be at least 1-d"});
  bool fits = sequence.dim() == 1 || sequence.dim() == self.dim();
  for (int64_t d = 0; fits && sequence.dim() > 1 && d + 1 < sequence.dim(); ++d)
    fits = sequence.sizes()[d] == self.sizes()[d];
  if (!fits) {
    r.Fail({"sorted_sequence must be 1-d or have self's sizes but for the last dimension, got ",
            sequence.sizes(), " and ", self.sizes()});
  }
  if (sorter.defined() &&
      (sorter.dtype() != DType::kInt64 || !SameSizes(sorter.sizes(), sequence.sizes()))) {
    r.Fail({"sorter must be int64 and of sorted_sequence's sizes ", sequence.sizes(), ", got ",
            sorter.dtype(), " of ", sorter.sizes()});
  }
  State(r, sequence, self, out_int32);
}

void BucketizeShape(ShapeContext& r, const TensorBase& self, const TensorBase& boundaries,
                    bool out_int32, bool /*right*/) {
  if (boundaries.dim() != 1) r.Fail({"boundaries must be 1-d, got sizes ", boundaries.sizes()});
  State(r, boundaries, self, out_int32);
}

}  // namespace

const Operator searchsorted_op{
    "searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool out_int32=False, bool "
    "right=False, str? side=None, Tensor? sorter=None) -> Tensor",
    SearchsortedShape, kOut};
const Operator searchsorted_scalar_op{
    "searchsorted.Scalar(Tensor sorted_sequence, Scalar self, *, bool out_int32=False, bool "
    "right=False, str? side=None, Tensor? sorter=None) -> Tensor",
    WithNumber<1>("searchsorted.Tensor", SearchsortedShape), kOut};
const Operator bucketize_op{
    "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool right=False) "
    "-> Tensor",
    BucketizeShape, kOut};
const Operator bucketize_scalar_op{
    "bucketize.Scalar(Scalar self, Tensor boundaries, *, bool out_int32=False, bool right=False) "
    "-> Tensor",
    WithNumber<0>("bucketize.Tensor", BucketizeShape), kOut | Tags(OperatorTag::kRowMajorOut)};

}  // namespace sy
