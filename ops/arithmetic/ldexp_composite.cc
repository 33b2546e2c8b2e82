// ldexp by a product with a power of 2.

#include <algorithm>
#include <climits>
#include <cmath>

#include "switchyard/core/dtype_info.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Of a floating self, an integer exponent moves its own by so much.
bool Shifts(Call call, const Tensor& self, const Tensor& exponent) {
  if (!IsFloating(self.dtype())) return false;
  if (exponent.dtype() == DType::kBool)
    Fail(ErrorCode::kNotImplemented, call.op(), {"other must not be bool where self is floating"});
  return IsIntegral(exponent.dtype(), false);
}
// A base that is a number, in the dtype of the exponent.
Tensor PowerOf2(const Tensor& exponent) { return pow(NumberTensor(Scalar(2.0)), exponent); }
// By factors none of which overflows where the product does not: the first is all there is to most.
Tensor Shifted(const Tensor& self, const Tensor& exponent) {
  const int64_t most = std::ilogb(finfo(self.dtype()).max);
  Tensor result = self, left = clamp(to(exponent, DType::kInt64), -3 * most, 3 * most);
  for (int i = 0; i < 3; ++i) {
    const Tensor n = clamp(left, -most, most);
    result = mul(result, PowerOf2(to(n, self.dtype())));
    left = sub(left, n);
  }
  return result;
}
// An integer exponent is taken in the dtype of a complex self.
Tensor PowerOf2(const Tensor& self, const Tensor& exponent) {
  const bool convert = !IsIntegral(self.dtype(), true) && IsIntegral(exponent.dtype(), true);
  return PowerOf2(convert ? to(exponent, self.dtype()) : exponent);
}
Tensor Ldexp(Call call, const Tensor& self, const Tensor& other) {
  return Shifts(call, self, other) ? Shifted(self, other) : mul(self, PowerOf2(self, other));
}
void LdexpInPlace(Call call, const Tensor& self, const Tensor& other) {
  if (Shifts(call, self, other)) {
    copy_(self, Shifted(self, other));
  } else {
    mul_(self, PowerOf2(self, other));
  }
}
void LdexpOut(Call call, const Tensor& self, const Tensor& other, const Tensor& out) {
  if (Shifts(call, self, other)) {
    mul_out(out, Shifted(self, other), Scalar(1));
  } else {
    mul_out(out, self, PowerOf2(self, other));
  }
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
