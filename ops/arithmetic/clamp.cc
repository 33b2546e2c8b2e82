// Limits each element to [min, max]; where min is above max, the result is max. NaN stays NaN.
//   self: any sizes; min, max: numbers, or tensors that broadcast with self; at least one of them
//   →   common sizes and dtype
// Errors: kInvalidArgument without min and max, and for complex numbers, which have no order;
// kNotImplemented for bool, but tensors with one limit.
// Example: sy::clamp(x, -0.5, 0.5)
// Source: ATen clamp, clip.
#include "switchyard/ops/number.h"
#include "switchyard/ops/shape_functions.h"

namespace sy {
namespace {

void ClampShape(PointwiseContext& r, const TensorBase& self, const std::optional<Scalar>& min,
                const std::optional<Scalar>& max) {
  if (!min && !max) r.Fail({"at least one of min and max must be given"});
  // The numbers promote the result but do not broadcast.
  TypePromotion types;
  types.Add(self);
  if (min) types.Add(*min);
  if (max) types.Add(*max);
  const DType dtype = types.Result();
  if (IsComplex(dtype)) r.Fail({"complex numbers have no order; got ", self.dtype()});
  if (min) RequireStorable(r, *min, dtype, "min");
  if (max) RequireStorable(r, *max, dtype, "max");
  r.PointwiseAs(dtype, {&self}).cast = CastPolicy::kSame;
}

void ClampTensorShape(PointwiseContext& r, const TensorBase& self, const TensorBase& min,
                      const TensorBase& max) {
  if (!min.defined() && !max.defined()) r.Fail({"at least one of min and max must be given"});
  r.Pointwise({&self, &min, &max});
  if (IsComplex(r.compute_dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
  // With one limit it is maximum or minimum, which take bool.
  if (r.compute_dtype() == DType::kBool && min.defined() && max.defined())
    r.Fail(ErrorCode::kNotImplemented, {"bool takes one limit, got min and max"});
}

}  // namespace

const Operator clamp_op{"clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
                        ClampShape, kInPlace | kOut};
const Operator clamp_tensor_op{
    "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", ClampTensorShape,
    kInPlace | kOut};
const Operator clip_op{"clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
                       SameKernels("clamp", ClampShape), kInPlace | kOut};
const Operator clip_tensor_op{
    "clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
    SameKernels("clamp.Tensor", ClampTensorShape), kInPlace | kOut};

}  // namespace sy
