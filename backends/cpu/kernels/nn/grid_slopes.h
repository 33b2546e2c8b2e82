// How weights and positions of grid_taps.h change with the numbers of a grid.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_SLOPES_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_SLOPES_H_

#include "backends/cpu/kernels/nn/grid_taps.h"

namespace sy::cpu {

template <class T>
struct SlopedTaps : Taps<T> {
  T slope[4];  // cubic: of the weights by the position, negated
  T factor;    // of the position by the grid's number

  SlopedTaps(T x, int64_t size, int64_t mode, int64_t padding, bool align)
      : Taps<T>(x, size, mode, padding, align),
        factor(align ? T(size - 1) / T(2) : T(size) / T(2)) {
    x = Unnormalized(x, size, align);
    if (mode != kCubic) {
      factor = factor * PaddedSlope(x, size, padding, align);
      return;
    }
    const T t = x - Floor(x), a(2.25), b(3.75), a8(-6), a10(-7.5), b2(4.5);
    const T from[4] = {T(-1) - t, T(0) - t, T(1) - t, T(2) - t};
    slope[0] = (a * from[0] - a10) * from[0] - a8;
    slope[1] = (T(0) - b * from[1] - b2) * from[1];
    slope[2] = (b * from[2] - b2) * from[2];
    slope[3] = (T(0) - a * from[3] - a10) * from[3] + a8;
  }

 private:
  // Of the padded position by the position: 0 where it is clipped, -1 in every other reflection.
  static T PaddedSlope(T x, int64_t size, int64_t padding, bool align) {
    T slope(1);
    if (padding == kReflection) {
      const int64_t twice_low = align ? 0 : -1, twice_high = align ? 2 * (size - 1) : 2 * size - 1;
      if (twice_low == twice_high) return T(0);
      const T low = T(twice_low) / T(2), span = T(twice_high - twice_low) / T(2);
      const T from = x - low;
      const bool negative = from < T(0);
      const bool even = Fmod(Floor((negative ? T(0) - from : from) / span), T(2)) == T(0);
      if (even == negative) slope = T(-1);
      x = Reflected(x, twice_low, twice_high);
    }
    if (padding != kZeros && (!(x > T(0)) || !(x < T(size - 1)))) return T(0);
    return slope;
  }
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_SLOPES_H_
