// Where the numbers of grids lie in images: the neighbours along each dimension, and their
// weights. Positions are found in the type computed in; 16-bit floats round at every
// step, as ATen's do. Source of the modes: ATen/native/GridSampler.h.
//
//   const Taps<T> tx(T(g[0]), width, mode, padding, align);
//   for (int i = 0; i < tx.count; ++i) sum = sum + tx.weight[i] * row[tx.at[i]];
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_TAPS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_TAPS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include "backends/cpu/kernels/nn/stepwise_half.h"

namespace sy::cpu {

enum Padding : int64_t { kZeros = 0, kBorder = 1, kReflection = 2 };
constexpr int64_t kNearest = 1, kCubic = 2;

// -1 … 1 to elements 0 … size - 1.
template <class T>
T Unnormalized(T x, int64_t size, bool align) {
  const T n(size);
  return align ? (x + T(1)) / T(2) * (n - T(1)) : ((x + T(1)) * n - T(1)) / T(2);
}

// NaN is the first element, as PyTorch documents grid_sample: max keeps what it is given first.
template <class T>
T Clipped(T x, int64_t size) {
  return std::min(T(size - 1), std::max(T(0), x));
}

// Reflected at low / 2 and high / 2 until it lies between them.
template <class T>
T Reflected(T x, int64_t twice_low, int64_t twice_high) {
  if (twice_low == twice_high) return T(0);
  const T low = T(twice_low) / T(2), span = T(twice_high - twice_low) / T(2);
  x = x - low;
  if (x < T(0)) x = T(0) - x;
  const T extra = Fmod(x, span);
  const bool even = Fmod(Floor(x / span), T(2)) == T(0);
  return even ? extra + low : span - extra + low;
}

template <class T>
T Padded(T x, int64_t size, int64_t padding, bool align) {
  if (padding == kReflection) {
    x = align ? Reflected(x, 0, 2 * (size - 1)) : Reflected(x, -1, 2 * size - 1);
    x = Clipped(x, size);
  } else if (padding == kBorder) {
    x = Clipped(x, size);
  }
  // Numbers that no integer holds, and NaN, lie outside.
  return x > T(-100) && x < T(int64_t{1} << 30) ? x : T(-100);
}

// The cubic convolution's weights of 4 neighbours, A = -0.75.
template <class T>
void CubicWeights(T t, T (&w)[4]) {
  const T a(-0.75), a2(1.25), a3(2.25), a4(-3), a5(-3.75), a8(-6);  // a and what is made of it
  const auto near = [&](T x) { return (a2 * x - a3) * x * x + T(1); };
  const auto far = [&](T x) { return ((a * x - a5) * x + a8) * x - a4; };
  w[0] = far(t + T(1));
  w[1] = near(t);
  w[2] = near(T(1) - t);
  w[3] = far(T(2) - t);
}

// Neighbours along one dimension and their weights; -1 where they lie in zeros.
template <class T>
struct Taps {
  int count;
  int64_t at[4];
  T weight[4];

  Taps() = default;
  Taps(T x, int64_t size, int64_t mode, int64_t padding, bool align) {
    x = Unnormalized(x, size, align);
    if (mode == kCubic) {
      count = 4;
      const T first = Floor(x);
      CubicWeights(x - first, weight);
      for (int i = 0; i < 4; ++i)
        at[i] = Inside(Whole(Padded(first + T(i - 1), size, padding, align)), size);
      return;
    }
    x = Padded(x, size, padding, align);
    if (mode == kNearest) {
      count = 1;
      at[0] = Inside(Whole(Nearest(x)), size);
      weight[0] = T(1);
      return;
    }
    count = 2;
    const T first = Floor(x);
    for (int i = 0; i < 2; ++i) at[i] = Inside(Whole(first) + i, size);
    weight[0] = first + T(1) - x;
    weight[1] = x - first;
  }
  static int64_t Whole(T x) { return static_cast<int64_t>(x); }
  static int64_t Inside(int64_t i, int64_t size) { return i >= 0 && i < size ? i : -1; }
};

template <class E>
struct ComputedAs {
  using Type = std::conditional_t<sizeof(E) == 2, Stepwise<E>, E>;
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_TAPS_H_
