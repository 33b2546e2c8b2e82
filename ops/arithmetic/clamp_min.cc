// Limits each element to `min` at least; NaN stays NaN.
//   self: real; min: a number, or a tensor of sizes that broadcast; dtypes promote   →   common
//   sizes and dtype
// Errors: kInvalidArgument for complex numbers, which have no order.
// Example: sy::clamp_min(x, 1)
// Source: ATen clamp_min.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

// The number promotes the result but does not broadcast.
void ClampMinShape(PointwiseContext& r, const TensorBase& self, const Scalar& min) {
  TypePromotion types;
  types.Add(self);
  types.Add(min);
  const DType dtype = types.Result();
  if (IsComplex(dtype)) r.Fail({"complex numbers have no order; got ", self.dtype()});
  RequireStorable(r, min, dtype, "min");
  r.PointwiseAs(dtype, {&self}).cast = CastPolicy::kSame;
}

}  // namespace

const Operator clamp_min_op{"clamp_min(Tensor self, Scalar min) -> Tensor", ClampMinShape,
                            kInPlace | kOut};
const Operator clamp_min_tensor_op{"clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
                                   SameKernels("maximum", BinaryOrderedShape), kInPlace | kOut};

}  // namespace sy
