// The numbers of linspace and of logspace's exponents: where they begin, where they end, how far
// apart they are, in the precision that ATen computes them in.
//
//   const auto s = SpacingOf<T>(start, end, steps);
//   x[i] = i < steps / 2 ? s.start + i * s.step : s.end - (steps - 1 - i) * s.step;
//
// Source: ATen's RangeFactoriesKernel.cpp (linspace, logspace): counted from the nearer end.
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_BACKENDS_COMMON_SPACING_H_
#define SWITCHYARD_BACKENDS_COMMON_SPACING_H_

#include <cstdint>
#include <type_traits>

#include "switchyard/core/dtype.h"
#include "switchyard/core/scalar.h"

namespace sy {

template <class Number>
struct Spacing {
  Number start, end, step;
};

// What elements of type T are computed in: 16-bit floats in float, integers in double.
template <class T>
using SpacedNumber = std::conditional_t<Contains(kHalfTypes, DTypeOf<T>), float,
                                        std::conditional_t<std::is_integral_v<T>, double, T>>;

// Of elements of type T. Each step of a computation in 16-bit floats is rounded to them.
template <class T>
Spacing<SpacedNumber<T>> SpacingOf(const Scalar& start, const Scalar& end, int64_t steps) {
  using Number = SpacedNumber<T>;
  const auto round = [](Number x) {
    if constexpr (Contains(kHalfTypes, DTypeOf<T>)) x = static_cast<Number>(static_cast<T>(x));
    return x;
  };
  const auto from = static_cast<Number>(start.To<T>());
  if (steps == 1) return {from, from, Number(0)};
  const auto to = static_cast<Number>(end.To<T>());
  const auto gaps = static_cast<Number>(static_cast<double>(steps - 1));
  return {from, to, round(round(to - from) / round(gaps))};
}

// Of the exponents of real elements of type T, in double; their distance has the dtype of T.
template <class T>
Spacing<double> ExponentSpacingOf(const Scalar& start, const Scalar& end, int64_t steps) {
  const auto from = static_cast<double>(start.To<T>());
  if (steps == 1) return {from, from, 0};
  const auto to = static_cast<double>(end.To<T>());
  const double all =
      std::is_integral_v<T> ? to - from : static_cast<double>(static_cast<T>(to - from));
  return {from, to, all / static_cast<double>(steps - 1)};
}

}  // namespace sy

#endif  // SWITCHYARD_BACKENDS_COMMON_SPACING_H_
