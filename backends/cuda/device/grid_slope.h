// How weights and positions of grid_sample.h change with the numbers of a grid.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_SLOPE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_SLOPE_H_

#include "switchyard/backends/cuda/device/grid_sample.h"

namespace sy::cuda {

template <class E>
struct SlopedSampling : Sampling<E> {
  using S = Sampling<E>;
  using V = typename S::V;
  V slope[4];  // cubic: of the weights by the position, negated
  V factor;    // of the position by the grid's number

  SY_FN SlopedSampling(V x, long long size, int mode, int padding, bool align)
      : Sampling<E>(x, size, mode, padding, align) {
    x = S::Unnormalized(x, size, align);
    factor = S::Of(static_cast<double>(align ? size - 1 : size)) / S::Of(2);
    if (mode != kCubic) {
      factor = factor * PaddedSlope(x, size, padding, align);
      return;
    }
    const V t = x - floor(x), far = S::Of(2.25), near = S::Of(3.75), a8 = S::Of(-6),
            a10 = S::Of(-7.5);
    const V first = S::Of(-1) - t, second = S::Of(0) - t, third = S::Of(1) - t,
            fourth = S::Of(2) - t;
    slope[0] = (far * first - a10) * first - a8;
    slope[1] = (S::Of(0) - near * second - S::Of(4.5)) * second;
    slope[2] = (near * third - S::Of(4.5)) * third;
    slope[3] = (S::Of(0) - far * fourth - a10) * fourth + a8;
  }

 private:
  // Of the padded position by the position: 0 where it is clipped, -1 in every other reflection.
  static SY_FN V PaddedSlope(V x, long long size, int padding, bool align) {
    V slope = S::Of(1);
    if (padding == kReflection) {
      const long long twice_low = align ? 0 : -1,
                      twice_high = align ? 2 * (size - 1) : 2 * size - 1;
      if (twice_low == twice_high) return S::Of(0);
      const V low = S::Of(static_cast<double>(twice_low)) / S::Of(2),
              span = S::Of(static_cast<double>(twice_high - twice_low)) / S::Of(2);
      const V from = x - low;
      const bool negative = from < S::Of(0);
      const bool even =
          fmod(floor((negative ? S::Of(0) - from : from) / span), S::Of(2)) == S::Of(0);
      if (even == negative) slope = S::Of(-1);
      x = S::Reflected(x, twice_low, twice_high);
    }
    const V most = S::Of(static_cast<double>(size - 1));
    if (padding != kZeros && (!(x > S::Of(0)) || !(x < most))) return S::Of(0);
    return slope;
  }
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_SLOPE_H_
