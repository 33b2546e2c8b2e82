#include "switchyard/core/promotion.h"

#include <algorithm>

#include "switchyard/core/error.h"

namespace sy {
namespace {

// bool < integers < floats < complex.
int Category(DType d) {
  if (d == DType::kBool) return 0;
  if (IsIntegral(d, false)) return 1;
  return IsFloating(d) ? 2 : 3;
}

DType Join2(std::optional<DType> a, DType b) { return a ? PromoteTypes(*a, b) : b; }

// The stronger operand keeps its precision; the weaker one may only raise its category.
std::optional<DType> Combine(std::optional<DType> strong, std::optional<DType> weak) {
  if (!strong || !weak) return strong ? strong : weak;
  const int s = Category(*strong), w = Category(*weak);
  if (s == 3) return strong;
  if (s == 2) return w == 3 ? ComplexType(*strong) : *strong;
  if (w == 3) return weak;
  if (s == 0 || w == 2) return PromoteTypes(*strong, *weak);
  return strong;
}

}  // namespace

std::optional<DType> TryPromoteTypes(DType a, DType b) {
  if (a == b) return a;
  const DTypeMask pair = Mask(a, b);
  if (pair & kFloat8Types) return std::nullopt;
  const int ca = Category(a), cb = Category(b);
  const DType high = ca >= cb ? a : b, low = ca >= cb ? b : a;
  if (pair & kWideUnsignedTypes) {  // these meet floats only
    return Category(high) == 2 ? std::optional(high) : std::nullopt;
  }
  if (IsComplex(high)) {
    const DType want = IsComplex(low) || IsFloating(low) ? ComplexType(low) : high;
    return ItemSize(want) > ItemSize(high) ? want : high;
  }
  if (ca != cb) return high;
  if (IsFloating(high)) {
    if (ItemSize(a) == ItemSize(b)) return DType::kFloat32;  // float16 and bfloat16
    return ItemSize(a) > ItemSize(b) ? a : b;
  }
  if (ItemSize(a) == ItemSize(b)) return DType::kInt16;  // uint8 and int8
  return ItemSize(a) > ItemSize(b) ? a : b;
}

DType PromoteTypes(DType a, DType b) {
  if (auto d = TryPromoteTypes(a, b)) return *d;
  Fail(ErrorCode::kInvalidArgument, {"type promotion: ", a, " and ", b, " have no common type"});
}

bool CanCast(DType from, DType to) {
  if (IsComplex(from) && !IsComplex(to)) return false;
  if (IsFloating(from) && IsIntegral(to, true)) return false;
  return from == DType::kBool || to != DType::kBool;
}

void TypePromotion::Add(const TensorBase& t) {
  if (!t.defined()) return;
  if (t.is_wrapped_number()) {
    DType d = t.dtype();
    if (IsComplex(d)) d = ComplexType(DefaultDType());
    if (IsFloating(d)) d = DefaultDType();
    number_ = Join2(number_, d);
  } else if (t.dim() > 0) {
    dim_ = Join2(dim_, t.dtype());
  } else {
    zero_ = Join2(zero_, t.dtype());
  }
}

void TypePromotion::Add(const Scalar& s) {
  DType d = s.dtype();
  if (s.is_complex()) d = ComplexType(DefaultDType());
  if (s.is_floating()) d = DefaultDType();
  number_ = Join2(number_, d);
}

DType TypePromotion::Result() const {
  // Most calls: of one dtype, or a floating one with real numbers.
  if (dim_ && !zero_ && (!number_ || (IsFloating(*dim_) && !IsComplex(*number_)))) return *dim_;
  if (auto d = Combine(dim_, Combine(zero_, number_))) return *d;
  Fail(ErrorCode::kInvalidArgument, "type promotion: there is nothing to promote");
}

DType ResultType(const TensorBase& a, const TensorBase& b) {
  TypePromotion p;
  p.Add(a);
  p.Add(b);
  return p.Result();
}

}  // namespace sy
