#include "switchyard/core/scalar.h"

#include <cmath>
#include <limits>

#include "switchyard/core/error.h"
#include "switchyard/core/number_text.h"

namespace sy {
namespace {

// Python's repr of a float: the shortest digits that read back, with a point or an exponent.
std::string Repr(double d) {
  std::string s = ShortestText(d);
  if (s.find_first_of(".en") == s.npos) s += ".0";
  return s;
}

// As ATen's overflows(): a fraction must lie within the range too, 255.5 does not fit uint8.
template <class T>
bool FitsInteger(double d) {
  using Limits = std::numeric_limits<T>;
  const double above = std::ldexp(1.0, Limits::digits);  // where max() is no double
  return d >= static_cast<double>(Limits::lowest()) && d <= static_cast<double>(Limits::max()) &&
         d < above;
}
// Unsigned types take negative integers as their two's complement, as ATen does: -1 fits uint8.
template <class T>
bool FitsInteger(int64_t i) {
  if constexpr (sizeof(T) == 8) {
    return true;
  } else {
    constexpr int64_t kAbove = int64_t{1} << std::numeric_limits<T>::digits;
    return i < kAbove && i >= (std::is_unsigned_v<T> ? 1 - kAbove : -kAbove);
  }
}

// Largest finite magnitude; the 8-bit E4M3 has no infinity to take larger ones.
double LargestFinite(DType d) {
  switch (d) {
    case DType::kFloat16:
    case DType::kComplex32:
      return std::numeric_limits<Half>::max();
    case DType::kBFloat16:
      return std::numeric_limits<BFloat16>::max();
    case DType::kFloat32:
    case DType::kComplex64:
      return std::numeric_limits<float>::max();
    case DType::kFloat8E4M3FN:
      return std::numeric_limits<Float8E4M3FN>::max();
    case DType::kFloat8E5M2:
      return std::numeric_limits<Float8E5M2>::max();
    default:
      return std::numeric_limits<double>::max();
  }
}

bool FitsFloating(double value, DType d) {
  if (std::isinf(value)) return d != DType::kFloat8E4M3FN;
  return std::isnan(value) || std::abs(value) <= LargestFinite(d);
}

}  // namespace

bool Scalar::Fits(DType d) const {
  if (d == DType::kBool) return true;
  if (kind_ == kComplex && complex_[1] != 0 && !IsComplex(d)) return false;
  const bool real = kind_ == kDouble || kind_ == kComplex;
  const double value = kind_ == kComplex ? complex_[0] : To<double>();
  if (!IsIntegral(d, false)) {
    return FitsFloating(value, d) && (kind_ != kComplex || FitsFloating(complex_[1], d));
  }
  return VisitDType<kIntegerTypes | kWideUnsignedTypes>(d, [&](auto tag) {
    using T = typename decltype(tag)::type;
    if (real) return FitsInteger<T>(value);
    if (kind_ == kUInt)
      return static_cast<uint64_t>(int_) <= static_cast<uint64_t>(std::numeric_limits<T>::max());
    return FitsInteger<T>(int_);
  });
}

void Scalar::FailConversion(DType d) const {
  Fail(ErrorCode::kInvalidArgument, {"the number ", str(), " does not fit ", d});
}

std::string Scalar::str() const {
  switch (kind_) {
    case kBool:
      return int_ != 0 ? "True" : "False";
    case kInt:
      return std::to_string(int_);
    case kUInt:
      return std::to_string(static_cast<uint64_t>(int_));
    case kDouble:
      return Repr(double_);
    case kComplex:
      break;
  }
  const auto part = [](double d) {  // Python drops ".0" inside complex numbers
    std::string s = Repr(d);
    return s.ends_with(".0") ? s.substr(0, s.size() - 2) : s;
  };
  const std::string im = part(complex_[1]) + "j";
  if (complex_[0] == 0 && !std::signbit(complex_[0])) return im;
  return "(" + part(complex_[0]) + (im[0] == '-' ? "" : "+") + im + ")";
}

bool operator==(const Scalar& a, const Scalar& b) {
  const auto same = [](double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); };
  if (a.kind_ != b.kind_) return false;
  if (a.kind_ == Scalar::kDouble) return same(a.double_, b.double_);
  if (a.kind_ == Scalar::kComplex)
    return same(a.complex_[0], b.complex_[0]) && same(a.complex_[1], b.complex_[1]);
  return a.int_ == b.int_;
}

}  // namespace sy
