// Limits each element to [min, max]; where min is above max, the result is max. NaN stays NaN.
//   self: any sizes; min, max: numbers, or tensors that broadcast with self; at least one of them
//   →   common sizes and dtype
// Errors: kInvalidArgument without min and max, and for complex numbers, which have no order.
// Example: sy::clamp(x, -0.5, 0.5)
// Source: ATen clamp.
#include "switchyard/ops/number.h"
#include "switchyard/ops/rules.h"

namespace sy {
namespace {

void ClampRule(Rule& r, const Meta& self, const std::optional<Scalar>& min,
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
  r.PointwiseAs(dtype, {&self});
}

void ClampTensorRule(Rule& r, const Meta& self, const Meta& min, const Meta& max) {
  if (!min.defined() && !max.defined()) r.Fail({"at least one of min and max must be given"});
  r.Pointwise({&self, &min, &max});
  if (IsComplex(r.compute_dtype())) r.Fail({"complex numbers have no order; got ", self.dtype()});
}

}  // namespace

const Operator clamp_op{"clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
                        ClampRule, kInPlace | kOut};
const Operator clamp_tensor_op{
    "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor", ClampTensorRule,
    kInPlace | kOut};

}  // namespace sy
