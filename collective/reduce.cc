#include "switchyard/collective/reduce.h"

#include <array>
#include <complex>
#include <type_traits>

#include "switchyard/core/error.h"
#include "switchyard/core/half.h"

namespace sy::collective {
namespace {

constexpr std::array<std::string_view, 8> kNames = {"sum",  "product", "min",  "max",
                                                    "band", "bor",     "bxor", "avg"};

// What is computed in: floats of fewer bits in float.
template <class T>
struct WideOf {
  using type = std::conditional_t<
      std::is_same_v<T, ComplexHalf>, std::complex<float>,
      std::conditional_t<(std::is_class_v<T> && !requires { typename T::value_type; }), float, T>>;
};
template <class T>
using Wide = typename WideOf<T>::type;
template <class T>
inline constexpr bool kIsComplex = requires {
  typename Wide<T>::value_type;
};

template <class T, class F>
void Each(void* to, const void* from, int64_t n, F f) {
  T* a = static_cast<T*>(to);
  const T* b = static_cast<const T*>(from);
  for (int64_t i = 0; i < n; ++i) a[i] = T(f(Wide<T>(a[i]), Wide<T>(b[i])));
}

// Sums and products of integers wrap: computed without a sign.
template <class T>
using Wrapping = typename std::conditional_t<std::is_integral_v<T> && !std::is_same_v<T, bool>,
                                             std::make_unsigned<T>, std::type_identity<T>>::type;
template <class T>
T Sum(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a || b;
  else
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
}
// uint16_t would be multiplied as int.
template <class T>
T Product(T a, T b) {
  if constexpr (std::is_same_v<T, bool>)
    return a && b;
  else if constexpr (std::is_integral_v<T> && sizeof(T) < sizeof(unsigned))
    return static_cast<T>(static_cast<unsigned>(a) * static_cast<unsigned>(b));
  else
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
}

template <class T>
void Run(SyReduceOp op, void* to, const void* from, int64_t n) {
  using W = Wide<T>;
  switch (op) {
    case SY_SUM:
    case SY_AVG:
      return Each<T>(to, from, n, [](W a, W b) { return Sum(a, b); });
    case SY_PRODUCT:
      return Each<T>(to, from, n, [](W a, W b) { return Product(a, b); });
    case SY_MIN:
      if constexpr (!kIsComplex<T>)
        return Each<T>(to, from, n, [](W a, W b) { return a != a || a < b ? a : b; });
      break;
    case SY_MAX:
      if constexpr (!kIsComplex<T>)
        return Each<T>(to, from, n, [](W a, W b) { return a != a || a > b ? a : b; });
      break;
    case SY_BAND:
      if constexpr (std::is_integral_v<T>)
        return Each<T>(to, from, n, [](W a, W b) { return static_cast<W>(a & b); });
      break;
    case SY_BOR:
      if constexpr (std::is_integral_v<T>)
        return Each<T>(to, from, n, [](W a, W b) { return static_cast<W>(a | b); });
      break;
    case SY_BXOR:
      if constexpr (std::is_integral_v<T>)
        return Each<T>(to, from, n, [](W a, W b) { return static_cast<W>(a ^ b); });
      break;
  }
}

}  // namespace

std::string_view Name(SyReduceOp op) { return kNames[static_cast<size_t>(op)]; }

std::optional<SyReduceOp> ParseReduceOp(std::string_view name) {
  for (size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<SyReduceOp>(i);
  }
  return std::nullopt;
}

DTypeMask ReducibleTypes(SyReduceOp op) {
  constexpr DTypeMask kComplex = kComplexTypes | Bit(DType::kComplex32);
  constexpr DTypeMask kIntegral = kIntegerTypes | kWideUnsignedTypes | Bit(DType::kBool);
  switch (op) {
    case SY_SUM:
    case SY_PRODUCT:
      return kAllTypes;
    case SY_MIN:
    case SY_MAX:
      return kAllTypes & ~kComplex;
    case SY_AVG:
      return kFloatingTypes | kFloat8Types | kComplex;
    default:
      return kIntegral;
  }
}

void Reduce(SyReduceOp op, DType dtype, void* to, const void* from, int64_t n) {
  if (!Contains(ReducibleTypes(op), dtype)) FailDTypeNotIn(dtype, ReducibleTypes(op));
  VisitDType<kAllTypes>(dtype,
                        [&](auto tag) { Run<typename decltype(tag)::type>(op, to, from, n); });
}

void Divide(DType dtype, void* data, int64_t n, int64_t by) {
  constexpr DTypeMask kTypes =
      kFloatingTypes | kFloat8Types | kComplexTypes | Bit(DType::kComplex32);
  VisitDType<kTypes>(dtype, [&](auto tag) {
    using T = typename decltype(tag)::type;
    using W = Wide<T>;
    T* x = static_cast<T*>(data);
    if constexpr (kIsComplex<T>) {
      const auto k = static_cast<typename W::value_type>(by);
      for (int64_t i = 0; i < n; ++i) x[i] = T(W(x[i]) / k);
    } else {
      const auto k = static_cast<W>(by);
      for (int64_t i = 0; i < n; ++i) x[i] = T(W(x[i]) / k);
    }
  });
}

}  // namespace sy::collective
