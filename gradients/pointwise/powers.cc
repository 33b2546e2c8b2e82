// Gradients of powers, roots, exponentials and logarithms.
#include <cmath>
#include <complex>

#include "switchyard/autograd/gradient.h"
#include "switchyard/core/scalar.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

bool IsZero(const Scalar& x) { return x.To<std::complex<double>>() == 0.0; }
Scalar LessOne(const Scalar& x) {
  if (x.is_complex()) return Scalar(x.To<std::complex<double>>() - 1.0);
  return x.is_floating() ? Scalar(x.To<double>() - 1) : Scalar(x.To<int64_t>() - 1);
}

Tensor PowNumberSelf(const Grad& g, const Tensor& self, const Scalar& exponent) {
  if (IsZero(exponent)) return zeros_like(self);
  return mul(g, conj(mul(pow(self, LessOne(exponent)), exponent)));
}
const Gradient pow_number_grad{"pow.Tensor_Scalar", For("self", PowNumberSelf)};

// Where the exponent is 0 the power is 1, whatever the base. The base is taken in the result's
// dtype: float_power's is wider than its own, and a negative one may have a complex exponent.
Tensor PowSelf(const Grad& g, const Tensor& self, const Tensor& exponent) {
  const Tensor slope = mul(exponent, pow(to(self, g.dtype()), sub(exponent, 1)));
  return masked_fill(mul(g, conj(slope)), eq(exponent, 0), 0);
}
// 0 to a power that is not negative stays 0.
Tensor PowExponent(const Grad& g, Output<0> y, const Tensor& self, const Tensor& exponent) {
  Tensor flat = eq(self, 0);
  flat = IsComplex(exponent.dtype())
             ? logical_and(flat, logical_and(eq(imag(exponent), 0), ge(real(exponent), 0)))
             : logical_and(flat, ge(exponent, 0));
  return mul(g, conj(where(flat, zeros_like(y.tensor()), mul(y, log(to(self, y.dtype()))))));
}
const Gradient pow_grad{"pow.Tensor_Tensor", For("self", PowSelf), For("exponent", PowExponent)};

Tensor SquareSelf(const Grad& g, const Tensor& self) { return mul(g, conj(mul(self, 2))); }
const Gradient square_grad{"square", For("self", SquareSelf)};
Tensor SqrtSelf(const Grad& g, Output<0> y, Unsaved) { return div(g, conj(mul(y, 2))); }
const Gradient sqrt_grad{"sqrt", For("self", SqrtSelf)};
Tensor RsqrtSelf(const Grad& g, Output<0> y, Unsaved) { return mul(mul(g, -0.5), conj(pow(y, 3))); }
const Gradient rsqrt_grad{"rsqrt", For("self", RsqrtSelf)};

Tensor ExpSelf(const Grad& g, Output<0> y, Unsaved) { return mul(g, conj(y)); }
const Gradient exp_grad{"exp", For("self", ExpSelf)};
Tensor Exp2Self(const Grad& g, Output<0> y, Unsaved) { return mul(mul(g, conj(y)), std::log(2.)); }
const Gradient exp2_grad{"exp2", For("self", Exp2Self)};
Tensor Expm1Self(const Grad& g, Output<0> y, Unsaved) { return mul(g, conj(add(y, 1))); }
const Gradient expm1_grad{"expm1", For("self", Expm1Self)};

Tensor LogSelf(const Grad& g, const Tensor& self) { return div(g, conj(self)); }
const Gradient log_grad{"log", For("self", LogSelf)};
Tensor Log10Self(const Grad& g, const Tensor& self) {
  return div(g, conj(mul(self, std::log(10.))));
}
const Gradient log10_grad{"log10", For("self", Log10Self)};
Tensor Log2Self(const Grad& g, const Tensor& self) { return div(g, conj(mul(self, std::log(2.)))); }
const Gradient log2_grad{"log2", For("self", Log2Self)};
Tensor Log1pSelf(const Grad& g, const Tensor& self) { return div(g, conj(add(self, 1))); }
const Gradient log1p_grad{"log1p", For("self", Log1pSelf)};

// A number's share of the sum of exponentials, 1 / (1 + exp(-x)) of its distance from the other:
// right where one of the two is infinite, and of real numbers does not overflow when
// differentiated.
Tensor Share(const Tensor& x) {
  return IsComplex(x.dtype()) ? reciprocal(add(exp(neg(x)), 1)) : sigmoid(x);
}
Tensor LogaddexpSelf(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(g, conj(Share(sub(self, other))));
}
Tensor LogaddexpOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(g, conj(Share(sub(other, self))));
}
const Gradient logaddexp_grad{"logaddexp", For("self", LogaddexpSelf),
                              For("other", LogaddexpOther)};
Tensor Logaddexp2Self(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(g, Share(mul(sub(self, other), std::log(2.))));
}
Tensor Logaddexp2Other(const Grad& g, const Tensor& self, const Tensor& other) {
  return mul(g, Share(mul(sub(other, self), std::log(2.))));
}
const Gradient logaddexp2_grad{"logaddexp2", For("self", Logaddexp2Self),
                               For("other", Logaddexp2Other)};

// x log(y): nothing of x where x is 0 and y no positive number, nor where no gradient arrives.
Tensor XlogySelf(const Grad& g, const Tensor& self, const Tensor& other) {
  return masked_fill(xlogy(g, other), logical_and(eq(self, 0), le(other, 0)), 0);
}
Tensor XlogyOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return div(mul(g, self), other);
}
const Gradient xlogy_grad{"xlogy.Tensor", For("self", XlogySelf), For("other", XlogyOther)};
Tensor Xlog1pySelf(const Grad& g, const Tensor& self, const Tensor& other) {
  return masked_fill(special_xlog1py(g, other), logical_and(eq(self, 0), le(other, -1)), 0);
}
Tensor Xlog1pyOther(const Grad& g, const Tensor& self, const Tensor& other) {
  return div(mul(g, self), add(other, 1));
}
const Gradient xlog1py_grad{"special_xlog1py", For("self", Xlog1pySelf),
                            For("other", Xlog1pyOther)};

// x 2^y.
Tensor LdexpSelf(const Grad& g, Unsaved, const Tensor& other) {
  return mul(g, conj(pow(2, other)));
}
Tensor LdexpOther(const Grad& g, Output<0> y, Unsaved, Unsaved) {
  return mul(mul(g, conj(y)), std::log(2.));
}
const Gradient ldexp_grad{"ldexp.Tensor", For("self", LdexpSelf), For("other", LdexpOther)};

}  // namespace
}  // namespace sy
