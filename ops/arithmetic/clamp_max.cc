// Limits each element to `max` at most; NaN stays NaN.
//   self: real; max: a number, or a tensor of sizes that broadcast; dtypes promote   →   common
//   sizes and dtype
// Errors: kInvalidArgument for complex numbers, which have no order.
// Example: sy::clamp_max(x, 1)
// Source: ATen clamp_max.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// The number promotes the result but does not broadcast.
void ClampMaxShape(PointwiseContext& r, const TensorBase& self, const Scalar& max) {
  TypePromotion types;
  types.Add(self);
  types.Add(max);
  const DType dtype = types.Result();
  if (IsComplex(dtype)) r.Fail({"complex numbers have no order; got ", self.dtype()});
  RequireStorable(r, max, dtype, "max");
  r.PointwiseAs(dtype, {&self}).cast = CastPolicy::kSame;
}

}  // namespace

const Operator clamp_max_op{"clamp_max(Tensor self, Scalar max) -> Tensor", ClampMaxShape,
                            kInPlace | kOut};
const Operator clamp_max_tensor_op{"clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
                                   SameKernels("minimum", BinaryOrderedShape), kInPlace | kOut};

}  // namespace sy
