// Gradients of trigonometric and hyperbolic functions, and of the parts of complex numbers.
#include <cmath>

#include "switchyard/autograd/gradient.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor SinSelf(const Grad& g, const Tensor& self) { return mul(g, conj(cos(self))); }
const Gradient sin_grad{"sin", For("self", SinSelf)};
Tensor CosSelf(const Grad& g, const Tensor& self) { return mul(neg(g), conj(sin(self))); }
const Gradient cos_grad{"cos", For("self", CosSelf)};
Tensor TanSelf(const Grad& g, Output<0> y, Unsaved) { return mul(g, conj(add(mul(y, y), 1))); }
const Gradient tan_grad{"tan", For("self", TanSelf)};
Tensor SinhSelf(const Grad& g, const Tensor& self) { return mul(g, conj(cosh(self))); }
const Gradient sinh_grad{"sinh", For("self", SinhSelf)};
Tensor CoshSelf(const Grad& g, const Tensor& self) { return mul(g, conj(sinh(self))); }
const Gradient cosh_grad{"cosh", For("self", CoshSelf)};
Tensor TanhSelf(const Grad& g, Output<0> y, Unsaved) { return tanh_backward(g, y); }
const Gradient tanh_grad{"tanh", For("self", TanhSelf)};

// 1 - x²
Tensor Room(const Tensor& x) { return rsub(mul(x, x), 1); }

Tensor AsinSelf(const Grad& g, const Tensor& self) { return mul(g, conj(rsqrt(Room(self)))); }
const Gradient asin_grad{"asin", For("self", AsinSelf)};
Tensor AcosSelf(const Grad& g, const Tensor& self) { return mul(neg(g), conj(rsqrt(Room(self)))); }
const Gradient acos_grad{"acos", For("self", AcosSelf)};
Tensor AtanSelf(const Grad& g, const Tensor& self) { return div(g, conj(add(mul(self, self), 1))); }
const Gradient atan_grad{"atan", For("self", AtanSelf)};
Tensor AsinhSelf(const Grad& g, const Tensor& self) {
  return mul(g, conj(rsqrt(add(mul(self, self), 1))));
}
const Gradient asinh_grad{"asinh", For("self", AsinhSelf)};
// By two roots: their product is the root's branch.
Tensor AcoshSelf(const Grad& g, const Tensor& self) {
  return mul(g, conj(IsComplex(self.dtype()) ? mul(rsqrt(add(self, 1)), rsqrt(sub(self, 1)))
                                             : rsqrt(sub(mul(self, self), 1))));
}
const Gradient acosh_grad{"acosh", For("self", AcoshSelf)};
Tensor AtanhSelf(const Grad& g, const Tensor& self) { return div(g, conj(Room(self))); }
const Gradient atanh_grad{"atanh", For("self", AtanhSelf)};

// Nothing where both are 0.
Tensor OverSquares(const Tensor& g, const Tensor& self, const Tensor& other) {
  const Tensor squares = add(mul(self, self), mul(other, other));
  return mul(g, masked_fill(reciprocal(squares), eq(squares, 0), 0));
}
Tensor Atan2Self(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(OverSquares(g, self, other), other);
}
Tensor Atan2Other(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(OverSquares(g, self, other), neg(self));
}
const Gradient atan2_grad{"atan2", For("self", Atan2Self), For("other", Atan2Other)};

// sin(πx)/(πx): its slope is (cos(πx)πx - sin(πx))/(πx²), 0 at 0.
Tensor SincSelf(const Grad& g, const Tensor& self) {
  const Tensor angle = mul(self, M_PI);
  const Tensor below = mul(mul(self, self), M_PI);
  const Tensor slope = div(sub(mul(cos(angle), angle), sin(angle)), below);
  return mul(g, conj(masked_fill(slope, eq(below, 0), 0)));  // also where the square vanishes
}
const Gradient sinc_grad{"sinc", For("self", SincSelf)};

// --- Complex numbers.

Tensor ConjPhysicalSelf(const Grad& g, Unsaved) { return conj(g); }
const Gradient conj_physical_grad{"conj_physical", For("self", ConjPhysicalSelf)};
Tensor ComplexReal(const Grad& g, Unsaved, Unsaved) { return real(g); }
Tensor ComplexImag(const Grad& g, Unsaved, Unsaved) { return imag(g); }
const Gradient complex_grad{"complex", For("real", ComplexReal), For("imag", ComplexImag)};
Tensor PolarAbs(const Grad& g, Output<0> y, Unsaved, Unsaved) { return real(mul(conj(g), sgn(y))); }
Tensor PolarAngle(const Grad& g, Output<0> y, Unsaved, Unsaved) {
  return neg(imag(mul(conj(g), y)));
}
const Gradient polar_grad{"polar", For("abs", PolarAbs), For("angle", PolarAngle)};
// Of a real number it is 0 or π.
Tensor AngleSelf(const Grad& g, const Tensor& self) {
  if (!IsComplex(self.dtype())) return zeros_like(self);
  const Tensor re = real(self), im = imag(self);
  const Tensor squares = add(mul(re, re), mul(im, im));
  const Tensor flat = eq(squares, 0);
  return complex(masked_fill(div(mul(neg(g), im), squares), flat, 0),
                 masked_fill(div(mul(g, re), squares), flat, 0));
}
const Gradient angle_grad{"angle", For("self", AngleSelf)};

}  // namespace
}  // namespace sy
