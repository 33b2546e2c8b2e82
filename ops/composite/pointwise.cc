// Pointwise operators by others.

#include <algorithm>
#include <climits>
#include <cmath>
#include <numeric>

#include "switchyard/ops.h"
#include "switchyard/registry/kernel.h"

namespace sy {
namespace {

Tensor Positive(Call call, const Tensor& self) {
  if (self.dtype() == DType::kBool) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must not be bool"});
  }
  return self;
}
const Composite positive_body{"positive", Positive};

Tensor Conj(Call, const Tensor& self) {
  return IsComplex(self.dtype()) ? conj_physical(self) : self;
}
const Composite conj_body{"conj", Conj};

// |x| of integers is that of floats, where the tolerance is one.
Tensor Isclose(Call call, const Tensor& self, const Tensor& other, double rtol, double atol,
               bool equal_nan) {
  if (self.dtype() != other.dtype()) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): self and other must have the same dtype, got ", self.dtype(), " and ",
          other.dtype()});
  }
  if (!(rtol >= 0 && atol >= 0)) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): rtol and atol must not be negative, got ", rtol, " and ", atol});
  }
  Tensor close = eq(self, other);
  if (equal_nan && !IsIntegral(self.dtype(), true))
    close = logical_or(close, logical_and(isnan(self), isnan(other)));
  if (rtol == 0 && atol == 0) return close;
  const DType dtype = IsIntegral(self.dtype(), true) ? DefaultDType() : self.dtype();
  const Tensor reference = to(other, dtype);
  const Tensor allowed = add(abs(mul(reference, rtol)), atol);
  const Tensor actual = abs(sub(to(self, dtype), reference));
  return logical_or(close, logical_and(isfinite(actual), le(actual, allowed)));
}
const Composite isclose_body{"isclose", Isclose};

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

// Of -2^63 and 0 it is 2^63, which int64 has as -2^63.
int64_t GcdOfInts(Call, int64_t a, int64_t b) {
  const auto magnitude = [](int64_t x) {
    return x < 0 ? uint64_t{0} - static_cast<uint64_t>(x) : static_cast<uint64_t>(x);
  };
  return static_cast<int64_t>(std::gcd(magnitude(a), magnitude(b)));
}
const Composite gcd_int_body{"gcd.int", GcdOfInts};

// sum over i = 0 … p - 1 of lgamma(x - i / 2), and p (p - 1) / 4 log(pi). Source: ATen mvlgamma,
// which has all terms in memory at once; here it is blocks of them.
Tensor Mvlgamma(Call call, const Tensor& self, int64_t p) {
  // x is above p / 2, where float32 has no halves beyond this.
  constexpr int64_t kMostSteps = int64_t{1} << 24, kBlock = int64_t{1} << 16;
  if (p < 1 || p > kMostSteps) {
    Fail(ErrorCode::kInvalidArgument,
         {call.op(), "(): p must be from 1 to ", kMostSteps, ", got ", p});
  }
  if (self.dtype() == DType::kBool)
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): self must not be bool"});
  const auto n = static_cast<double>(p);
  const DType dtype = IsIntegral(self.dtype(), true) ? DefaultDType() : self.dtype();
  // 16-bit floats add up in float.
  const DType wide = Contains(kHalfTypes, dtype) ? DType::kFloat32 : dtype;
  const Tensor x = unsqueeze(to(self, dtype), -1);
  const int64_t step = ::std::clamp<int64_t>(kBlock / ::std::max<int64_t>(1, x.numel()), 1, p);
  Tensor total = zeros_like(self, wide);
  for (int64_t i = 0; i < p; i += step) {
    const Tensor halves =
        mul(arange(i, ::std::min(p, i + step), dtype, ::std::nullopt, x.device()), 0.5);
    add_(total, sum(lgamma(sub(x, halves)), {-1}, false, wide));
  }
  return add_(to(total, dtype), n * (n - 1) / 4 * std::log(M_PI));
}
const Composite mvlgamma_body{"mvlgamma", Mvlgamma};

Tensor Prelu(Call call, const Tensor& self, const Tensor& weight) {
  if (weight.numel() == 1 && weight.dim() <= 1)
    return _prelu_kernel(self, weight.dim() == 0 ? weight : reshape(weight, {1}));
  const int64_t channel_dim = self.dim() > 1 ? 1 : 0;
  const int64_t channels = self.dim() == 0 ? 1 : self.sizes()[channel_dim];
  if (weight.dim() != 1 || weight.numel() != channels) {
    Fail(ErrorCode::kInvalidArgument, {call.op(), "(): weight must have one element, or be [",
                                       channels, "], self's channels; got sizes ", weight.sizes()});
  }
  std::vector<int64_t> sizes(static_cast<size_t>(self.dim()), 1);
  sizes[static_cast<size_t>(channel_dim)] = channels;
  return _prelu_kernel(self, reshape(weight, sizes));
}
const Composite prelu_body{"prelu", Prelu};

}  // namespace
}  // namespace sy
