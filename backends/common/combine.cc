#include "switchyard/backends/common/combine.h"

#include <limits>

namespace sy {

Combine CombineOf(std::string_view reduce) {
  if (reduce == "multiply" || reduce == "prod") return Combine::kMultiply;
  if (reduce == "amax") return Combine::kMax;
  if (reduce == "amin") return Combine::kMin;
  return Combine::kAdd;
}

Scalar IdentityOf(Combine how, DType dtype) {
  if (how == Combine::kMultiply) return Scalar(1);
  if (how != Combine::kMin && how != Combine::kMax) return Scalar(0);
  const bool most = how == Combine::kMin;
  if (IsFloating(dtype)) {
    const double inf = std::numeric_limits<double>::infinity();
    return Scalar(most ? inf : -inf);
  }
  return VisitDType<kIntegerTypes | kWideUnsignedTypes | Bit(DType::kBool)>(dtype, [&](auto tag) {
    using L = std::numeric_limits<typename decltype(tag)::type>;
    return Scalar(most ? L::max() : L::lowest());
  });
}

SegmentReduction SegmentReductionOf(std::string_view reduce) {
  return reduce == "sum"    ? SegmentReduction::kSum
         : reduce == "mean" ? SegmentReduction::kMean
         : reduce == "min"  ? SegmentReduction::kMin
         : reduce == "max"  ? SegmentReduction::kMax
                            : SegmentReduction::kProd;
}

double InitialOf(SegmentReduction how, const std::optional<Scalar>& initial) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  if (initial) return initial->To<double>();
  switch (how) {
    case SegmentReduction::kMax:
      return -kInf;
    case SegmentReduction::kMin:
      return kInf;
    case SegmentReduction::kProd:
      return 1;
    default:
      return 0;
  }
}

}  // namespace sy
