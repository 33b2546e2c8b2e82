// A number that changes with any element of self along `dim`: the exclusive or of their bits, those
// of floating numbers as float64, of integers as int64.
//   self: real, any sizes; dim: one or several dimensions (none: all); mode: 0   →   uint64; the
//   sizes left (reduced ones stay as 1 with keepdim)
// Errors: kInvalidArgument for another mode, other dtypes and when there is nothing to reduce;
// kOutOfRange for a dimension that is out of range or empty.
// Example: sy::hash_tensor(x)
// Source: ATen hash_tensor.
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void HashShape(ShapeContext& r, const TensorBase& self, IntSpan& dim, bool keepdim, int64_t mode) {
  if (mode != 0) r.Fail({"mode must be 0, got ", mode});
  const Reduced left = ReduceSizes(r, self, dim, keepdim);
  if (dim.empty() && self.numel() == 0)
    r.Fail({"self has no elements; give dim to say which one is reduced"});
  RequireNonEmptyReduction(r, self, left.mask);
  RequireDType(r, self, kIntegerTypes | kFloatingTypes | Bit(DType::kBool));
  r.Output(left.sizes, DType::kUInt64);
  r.SetComputeDType(self.dtype());
}

}  // namespace

const Operator hash_tensor_op{
    "hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor",
    HashShape, kOut};

}  // namespace sy
