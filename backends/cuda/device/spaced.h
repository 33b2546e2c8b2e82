// linspace and logspace: the first half counts from start, the second from end, so that both are
// met exactly.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_SPACED_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_SPACED_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/number.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cuda {

// What numbers of type T are counted in: integers in double, 16-bit floats rounding at each step.
template <class T>
SY_FN auto CountedFrom(const Immediate& x) {
  if constexpr (kIsHalf<T>) {
    return Stepwise<T>(Num<float>(At<float>(&x, 0)));
  } else if constexpr (kIsFloat<T> || kIsPair<T>) {
    return Lift(At<T>(&x, 0));
  } else {
    return Num<double>(At<double>(&x, 0));
  }
}

// The i-th number.
template <class T, class V>
SY_FN V SpacedAt(V start, V end, V step, long long i, long long steps) {
  const bool first = i < steps / 2;
  const long long k = first ? i : steps - 1 - i;
  if constexpr (kIsHalf<T>) {
    const V x = step * V(RoundTo<T>::Round(static_cast<float>(k)));
    return first ? start + x : end - x;
  } else if constexpr (kIsPair<T>) {
    using E = typename T::Part;
    const V n(static_cast<E>(k), static_cast<E>(0));
    return first ? start + step * n : end + (-step) * n;
  } else {
    using E = typename V::Element;
    // Doubles that become integers round once, so that the same ones are cut off everywhere.
    const E by = first ? step.v : -step.v, from = first ? start.v : end.v;
    if constexpr (kSameType<E, double> && !kSameType<T, double>) return ::fma(by, E(k), from);
    return from + by * E(k);
  }
}

template <class T>
SY_FN void Linspace(const SpacedArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.steps) return;
  const auto start = CountedFrom<T>(args.start), end = CountedFrom<T>(args.end),
             step = CountedFrom<T>(args.step);
  const auto x = SpacedAt<T>(start, end, step, i, args.steps);
  if constexpr (kIsFloat<T> || kIsHalf<T> || kIsPair<T>) {
    static_cast<T*>(args.out)[i] = Lower<T>(x);
  } else {
    static_cast<T*>(args.out)[i] = Convert<T>(x.v);
  }
}

// Powers of base. Real exponents are doubles, complex ones have the type of the result.
template <class T>
SY_FN void Logspace(const SpacedArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.steps) return;
  if constexpr (kIsPair<T>) {
    const auto x = SpacedAt<T>(CountedFrom<T>(args.start), CountedFrom<T>(args.end),
                               CountedFrom<T>(args.step), i, args.steps);
    static_cast<T*>(args.out)[i] = Lower<T>(f::Pow()(CountedFrom<T>(args.base), x));
  } else {
    const auto number = [](const Immediate& x) { return Num<double>(At<double>(&x, 0)); };
    const double x =
        SpacedAt<double>(number(args.start), number(args.end), number(args.step), i, args.steps).v;
    static_cast<T*>(args.out)[i] = Convert<T>(::pow(number(args.base).v, x));
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SPACED_H_
