// ldexp by a product with a power of 2.

#include <algorithm>
#include <climits>
#include <cmath>

#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// An integer exponent is taken in the dtype of a floating self.
Tensor PowerOf2(const Tensor& self, const Tensor& exponent) {
  const bool convert = !IsIntegral(self.dtype(), true) && IsIntegral(exponent.dtype(), true);
  return pow(Scalar(2.0), convert ? to(exponent, self.dtype()) : exponent);
}
Tensor Ldexp(Call, const Tensor& self, const Tensor& other) {
  return mul(self, PowerOf2(self, other));
}
void LdexpInPlace(Call, const Tensor& self, const Tensor& other) {
  mul_(self, PowerOf2(self, other));
}
void LdexpOut(Call, const Tensor& self, const Tensor& other, const Tensor& out) {
  mul_out(out, self, PowerOf2(self, other));
}
const Composite ldexp_body{"ldexp.Tensor", Ldexp};
const Composite ldexp_in_place_body{"ldexp_", LdexpInPlace};
const Composite ldexp_out_body{"ldexp.out", LdexpOut};

// An exponent beyond an int's range gives what the nearest in it gives: infinity or zero.
double LdexpNumber(Call, double x, int64_t i) {
  return std::ldexp(x, static_cast<int>(std::clamp<int64_t>(i, INT_MIN, INT_MAX)));
}
const Composite ldexp_number_body{"ldexp", LdexpNumber};

}  // namespace
}  // namespace sy
