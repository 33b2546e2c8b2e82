// linspace and logspace: the first half counts from start, the second from end, so that both are
// met exactly.
//
// Source: ATen's RangeFactoriesKernel.cpp and RangeFactories.cpp for the dtypes of the steps.
#include <cmath>
#include <complex>

#include "switchyard/backends/common/dtypes.h"
#include "switchyard/backends/common/spacing.h"
#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

// a + b * c. Doubles that become integers round once, so that the same ones are cut off on every
// processor; ATen's are computed so where there is an instruction for it.
template <bool kOnce, class Number>
Number MultiplyAdd(Number b, Number c, Number a) {
  if constexpr (kOnce) {
    return std::fma(b, c, a);
  } else {
    return a + b * c;
  }
}
// An element of x. What no integer type holds, as a power, becomes what x86's conversion makes of
// it.
template <class T, class Number>
T Element(Number x) {
  if constexpr (std::is_integral_v<T>) {
    return Scalar(x).To<T>();
  } else {
    return static_cast<T>(x);
  }
}

// f(i-th number) for each i.
template <bool kOnce, class Number, class F>
void Spaced(const Spacing<Number>& s, int64_t steps, F f) {
  const int64_t half = steps / 2;
  ParallelFor(steps, kGrain, [=](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      f(i, i < half ? MultiplyAdd<kOnce>(s.step, static_cast<Number>(i), s.start)
                    : MultiplyAdd<kOnce>(-s.step, static_cast<Number>(steps - 1 - i), s.end));
    }
  });
}

// 16-bit floats round after every step.
template <class T>
void SpacedHalves(T* p, const Spacing<float>& s, int64_t steps) {
  const auto round = [](float x) { return static_cast<float>(static_cast<T>(x)); };
  for (int64_t i = 0; i < steps; ++i) {
    const bool first = i < steps / 2;
    const float x = round(s.step * round(static_cast<float>(first ? i : steps - 1 - i)));
    p[i] = static_cast<T>(first ? s.start + x : s.end - x);
  }
}

void Linspace(Call, const Tensor& out, const Scalar& start, const Scalar& end, int64_t steps,
              Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* p = out.data<T>();
    if (steps == 1) {
      *p = start.To<T>();
      return;
    }
    const auto spacing = SpacingOf<T>(start, end, steps);
    if constexpr (Contains(kHalfTypes, DTypeOf<T>)) {
      SpacedHalves(p, spacing, steps);
    } else {
      using Number = SpacedNumber<T>;
      Spaced<std::is_integral_v<T>>(spacing, steps,
                                    [p](int64_t i, Number x) { p[i] = Element<T>(x); });
    }
  });
}

void Logspace(Call, const Tensor& out, const Scalar& start, const Scalar& end, int64_t steps,
              double base, Optional<DType>, Optional<Layout>, Optional<Device>, Optional<bool>) {
  VisitDType<kNumberTypes>(out.dtype(), [&](auto tag) {
    using T = typename decltype(tag)::type;
    T* p = out.data<T>();
    if constexpr (Contains(kComplexTypes, DTypeOf<T>)) {
      const T power = static_cast<T>(base);
      Spaced<false>(SpacingOf<T>(start, end, steps), steps,
                    [=](int64_t i, T x) { p[i] = std::pow(power, x); });
    } else if (steps == 1) {
      *p = Element<T>(std::pow(base, start.To<double>()));
    } else {
      Spaced<false>(ExponentSpacingOf<T>(start, end, steps), steps,
                    [=](int64_t i, double x) { p[i] = Element<T>(std::pow(base, x)); });
    }
  });
}

const Kernel linspace_kernel{"linspace", "cpu", kNumberTypes, Linspace};
const Kernel logspace_kernel{"logspace", "cpu", kNumberTypes, Logspace};

}  // namespace
}  // namespace sy::cpu
