// Gradients of sums, products, quotients, and of choices between elements.
#include <complex>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/gradients/numbers.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Scalar Minus(const Scalar& x) {
  if (x.is_complex()) return Scalar(-x.To<std::complex<double>>());
  return x.is_floating() ? Scalar(-x.To<double>()) : Scalar(-x.To<int64_t>());
}
// g where the condition holds, else 0.
Tensor Where(const Tensor& condition, const Tensor& g) { return where(condition, g, 0); }

Tensor AddSelf(const Grad& g, Unsaved, Unsaved, Unsaved) { return g; }
Tensor AddOther(const Grad& g, Unsaved, Unsaved, const Scalar& alpha) { return Times(g, alpha); }
Tensor SubOther(const Grad& g, Unsaved, Unsaved, const Scalar& alpha) {
  return IsOne(alpha) ? neg(g) : mul(g, Conj(Minus(alpha)));
}
const Gradient add_grad{"add.Tensor", For("self", AddSelf), For("other", AddOther)};
const Gradient sub_grad{"sub.Tensor", For("self", AddSelf), For("other", SubOther)};
const Gradient rsub_grad{"rsub.Tensor", For("self", SubOther), For("other", AddSelf)};

Tensor MulSelf(const Grad& g, Unsaved, const Tensor& other) { return mul(g, conj(other)); }
Tensor MulOther(const Grad& g, const Tensor& self, Unsaved) { return mul(g, conj(self)); }
const Gradient mul_grad{"mul.Tensor", For("self", MulSelf), For("other", MulOther)};

Tensor DivSelf(const Grad& g, Unsaved, const Tensor& other) { return div(g, conj(other)); }
Tensor DivOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(neg(g), conj(div(div(self, other), other)));
}
const Gradient div_grad{"div.Tensor", For("self", DivSelf), For("other", DivOther)};

// A rounded quotient is constant almost everywhere.
Tensor DivModeSelf(const Grad& g, Unsaved, const Tensor& other, Optional<std::string_view> mode) {
  return mode ? zeros_like(g) : div(g, conj(other));
}
Tensor DivModeOther(const Grad& g, const Tensor& self, const Tensor& other,
                    Optional<std::string_view> mode) {
  return mode ? zeros_like(g) : mul(neg(g), conj(div(div(self, other), other)));
}
const Gradient div_mode_grad{"div.Tensor_mode", For("self", DivModeSelf),
                             For("other", DivModeOther)};

Tensor NegSelf(const Grad& g, Unsaved) { return neg(g); }
const Gradient neg_grad{"neg", For("self", NegSelf)};

Tensor ReciprocalSelf(const Grad& g, Output<0> y, Unsaved) { return mul(neg(g), conj(mul(y, y))); }
const Gradient reciprocal_grad{"reciprocal", For("self", ReciprocalSelf)};

Tensor AddcmulFirst(const Grad& g, Unsaved, Unsaved, const Tensor& second, const Scalar& value) {
  return mul(g, conj(mul(second, value)));
}
Tensor AddcmulSecond(const Grad& g, Unsaved, const Tensor& first, Unsaved, const Scalar& value) {
  return mul(g, conj(mul(first, value)));
}
Tensor AddcSelf(const Grad& g, Unsaved, Unsaved, Unsaved, Unsaved) { return g; }
const Gradient addcmul_grad{"addcmul", For("self", AddcSelf), For("tensor1", AddcmulFirst),
                            For("tensor2", AddcmulSecond)};
Tensor AddcdivFirst(const Grad& g, Unsaved, Unsaved, const Tensor& second, const Scalar& value) {
  return mul(g, conj(mul(reciprocal(second), value)));
}
Tensor AddcdivSecond(const Grad& g, Unsaved, const Tensor& first, const Tensor& second,
                     const Scalar& value) {
  return mul(neg(g), conj(div(mul(first, value), mul(second, second))));
}
const Gradient addcdiv_grad{"addcdiv", For("self", AddcSelf), For("tensor1", AddcdivFirst),
                            For("tensor2", AddcdivSecond)};

Tensor LerpSelf(const Grad& g, Unsaved, Unsaved, const Tensor& weight) {
  return mul(g, conj(rsub(weight, 1)));
}
Tensor LerpEnd(const Grad& g, Unsaved, Unsaved, const Tensor& weight) {
  return mul(g, conj(weight));
}
Tensor LerpWeight(const Grad& g, const Tensor& self, const Tensor& end, Unsaved) {
  return mul(g, conj(sub(end, self)));
}
const Gradient lerp_grad{"lerp.Tensor", For("self", LerpSelf), For("end", LerpEnd),
                         For("weight", LerpWeight)};

// --- Of signs. abs passes nothing back at 0.

Tensor AbsSelf(const Grad& g, const Tensor& self) { return mul(g, sgn(self)); }
const Gradient abs_grad{"abs", For("self", AbsSelf)};
// Real numbers have a sign that is constant almost everywhere; complex ones a point of the circle.
Tensor SgnSelf(const Grad& g, Output<0> y, const Tensor& self) {
  if (!IsComplex(self.dtype())) return zeros_like(self);
  const Tensor length = abs(self);
  // The part of g along the circle, divided by the radius.
  const Tensor across = sub(g, mul(real(mul(g, conj(y))), y));
  return masked_fill(div(across, length), eq(length, 0), 0);
}
const Gradient sgn_grad{"sgn", For("self", SgnSelf)};

Tensor CopysignSelf(const Grad& g, Output<0> y, const Tensor& self, Unsaved) {
  // Plus or minus one; nothing at 0.
  return mul(g, masked_fill(div(y, self), eq(self, 0), 0));
}
Tensor CopysignOther(const Grad& g, Unsaved, Like) { return zeros_like(g); }
const Gradient copysign_grad{"copysign.Tensor", For("self", CopysignSelf),
                             For("other", CopysignOther)};

// --- Of choices. Where two are equal, each has a half; where one is NaN, both have all.

Tensor Unless(const Tensor& worse, const Tensor& g, const Tensor& self, const Tensor& other) {
  return masked_fill(where(eq(self, other), div(g, 2), g), worse, 0);
}
Tensor MaximumSelf(const Grad& g, const Tensor& self, const Tensor& other) {
  return Unless(lt(self, other), g, self, other);
}
Tensor MaximumOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return Unless(gt(self, other), g, self, other);
}
const Gradient maximum_grad{"maximum", For("self", MaximumSelf), For("other", MaximumOther)};
const Gradient minimum_grad{"minimum", For("self", MaximumOther), For("other", MaximumSelf)};

// A NaN gives way to the other.
Tensor FmaxSelf(const Grad& g, const Tensor& self, const Tensor& other) {
  return Where(logical_or(ge(self, other), isnan(other)), g);
}
Tensor FmaxOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return Where(logical_not(logical_or(ge(self, other), isnan(other))), g);
}
const Gradient fmax_grad{"fmax", For("self", FmaxSelf), For("other", FmaxOther)};
Tensor FminSelf(const Grad& g, const Tensor& self, const Tensor& other) {
  return Where(logical_or(le(self, other), isnan(other)), g);
}
Tensor FminOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return Where(logical_not(logical_or(le(self, other), isnan(other))), g);
}
const Gradient fmin_grad{"fmin", For("self", FminSelf), For("other", FminOther)};

// At a bound, the gradient goes through; without bounds, all of it.
Tensor ClampSelf(const Grad& g, const Tensor& self, const std::optional<Scalar>& min,
                 const std::optional<Scalar>& max) {
  if (min && max) return Where(logical_and(ge(self, *min), le(self, *max)), g);
  if (min) return Where(ge(self, *min), g);
  if (max) return Where(le(self, *max), g);
  return g;
}
const Gradient clamp_grad{"clamp", For("self", ClampSelf)};
Tensor ClampTensorSelf(const Grad& g, const Tensor& self, const Tensor& min, const Tensor& max) {
  if (min.defined() && max.defined()) {
    return Where(logical_and(ge(self, min), le(self, max)), g);
  }
  if (min.defined()) return Where(ge(self, min), g);
  if (max.defined()) return Where(le(self, max), g);
  return g;
}
// Where both bounds are past the number, the upper one holds.
Tensor ClampTensorMin(const Grad& g, const Tensor& self, const Tensor& min, const Tensor& max) {
  const Tensor below = lt(self, min);
  return Where(max.defined() ? logical_and(below, lt(min, max)) : below, g);
}
Tensor ClampTensorMax(const Grad& g, const Tensor& self, const Tensor& min, const Tensor& max) {
  const Tensor above = gt(self, max);
  return Where(min.defined() ? logical_or(above, gt(min, max)) : above, g);
}
const Gradient clamp_tensor_grad{"clamp.Tensor", For("self", ClampTensorSelf),
                                 For("min", ClampTensorMin), For("max", ClampTensorMax)};
Tensor ClampMaxSelf(const Grad& g, const Tensor& self, const Scalar& max) {
  return Where(le(self, max), g);
}
Tensor ClampMinSelf(const Grad& g, const Tensor& self, const Scalar& min) {
  return Where(ge(self, min), g);
}
const Gradient clamp_max_grad{"clamp_max", For("self", ClampMaxSelf)};
const Gradient clamp_min_grad{"clamp_min", For("self", ClampMinSelf)};
Tensor ClampMaxTensorSelf(const Grad& g, const Tensor& self, const Tensor& max) {
  return Where(le(self, max), g);
}
Tensor ClampMaxTensorMax(const Grad& g, const Tensor& self, const Tensor& max) {
  return Where(gt(self, max), g);
}
Tensor ClampMinTensorSelf(const Grad& g, const Tensor& self, const Tensor& min) {
  return Where(ge(self, min), g);
}
Tensor ClampMinTensorMin(const Grad& g, const Tensor& self, const Tensor& min) {
  return Where(lt(self, min), g);
}
const Gradient clamp_max_tensor_grad{"clamp_max.Tensor", For("self", ClampMaxTensorSelf),
                                     For("max", ClampMaxTensorMax)};
const Gradient clamp_min_tensor_grad{"clamp_min.Tensor", For("self", ClampMinTensorSelf),
                                     For("min", ClampMinTensorMin)};

Tensor WhereSelf(const Grad& g, const Tensor& condition, Unsaved, Unsaved) {
  return where(condition, g, 0);
}
Tensor WhereOther(const Grad& g, const Tensor& condition, Unsaved, Unsaved) {
  return where(condition, 0, g);
}
const Gradient where_grad{"where.self", For("self", WhereSelf), For("other", WhereOther)};
Tensor MaskedFillSelf(const Grad& g, Unsaved, const Tensor& mask, Unsaved) {
  return masked_fill(g, mask, 0);
}
Tensor MaskedFillValue(const Grad& g, Unsaved, const Tensor& mask, Unsaved) {
  return sum(where(mask, g, 0));
}
const Gradient masked_fill_grad{"masked_fill.Tensor", For("self", MaskedFillSelf),
                                For("value", MaskedFillValue)};

Tensor NanToNumSelf(const Grad& g, const Tensor& self, Unsaved, Unsaved, Unsaved) {
  return mul(g, isfinite(self));
}
const Gradient nan_to_num_grad{"nan_to_num", For("self", NanToNumSelf)};

// --- Of remainders: the quotient is constant almost everywhere.

Tensor RemainderSelf(const Grad& g, Unsaved, Unsaved) { return g; }
Tensor RemainderOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(neg(g), div(self, other, "floor"));
}
Tensor FmodOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(neg(g), div(self, other, "trunc"));
}
const Gradient remainder_grad{"remainder.Tensor", For("self", RemainderSelf),
                              For("other", RemainderOther)};
const Gradient fmod_grad{"fmod.Tensor", For("self", RemainderSelf), For("other", FmodOther)};
Tensor FracSelf(const Grad& g, Unsaved) { return g; }
const Gradient frac_grad{"frac", For("self", FracSelf)};
// The mantissa is the number by a power of two.
Tensor FrexpSelf(const Grad& g, Output<1> exponent, Unsaved) {
  return div(g, exp2(to(exponent, g.dtype())));
}
const Gradient frexp_grad{"frexp.Tensor", For("self", FrexpSelf)};

Tensor HypotSelf(const Grad& g, Output<0> y, const Tensor& self, Unsaved) {
  return div(mul(g, self), y);
}
Tensor HypotOther(const Grad& g, Output<0> y, Unsaved, const Tensor& other) {
  return div(mul(g, other), y);
}
const Gradient hypot_grad{"hypot", For("self", HypotSelf), For("other", HypotOther)};
Tensor Deg2radSelf(const Grad& g, Unsaved) { return deg2rad(g); }
Tensor Rad2degSelf(const Grad& g, Unsaved) { return rad2deg(g); }
const Gradient deg2rad_grad{"deg2rad", For("self", Deg2radSelf)};
const Gradient rad2deg_grad{"rad2deg", For("self", Rad2degSelf)};

const Zero zeros{"ceil", "floor", "round", "round.decimals", "sign", "trunc"};
// floor_divide, heaviside and nextafter are not named: their gradients are refused, as ATen's are.
const NotDifferentiable steps{"gcd", "lcm", "signbit"};
const NotDifferentiable comparisons{
    "eq.Tensor",   "ge.Tensor",   "gt.Tensor",  "le.Tensor",   "lt.Tensor", "ne.Tensor",
    "isfinite",    "isinf",       "isnan",      "isneginf",    "isposinf",  "isreal",
    "logical_and", "logical_not", "logical_or", "logical_xor", "isclose"};
const NotDifferentiable bits{
    "bitwise_and.Tensor", "bitwise_left_shift.Tensor",  "bitwise_not",
    "bitwise_or.Tensor",  "bitwise_right_shift.Tensor", "bitwise_xor.Tensor"};

}  // namespace
}  // namespace sy
