// What samples of images pass back, in the order of the host's sums
// (backends/cpu/kernels/nn/grid_gradients.h), in which 16-bit floats round.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_GRADIENT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_GRADIENT_H_

#include "switchyard/backends/cuda/device/grid_slope.h"

namespace sy::cuda {

// What place i of the grids of all images takes. S: Sampling or SlopedSampling.
template <class S, class E, int kDims, int kMode, int kPadding, bool kAlign>
struct SamplingOf {
  long long h, w, plane;
  S x, y, z;

  SY_FN SamplingOf(const SampleGradientArgs& args, long long i)
      : h(args.inputs[1]),
        w(args.inputs[2]),
        plane(args.inputs[0] * args.inputs[1] * args.inputs[2]),
        x(Number(args, i, 0), args.inputs[2], kMode, kPadding, kAlign),
        y(Number(args, i, 1), args.inputs[1], kMode, kPadding, kAlign),
        z(kDims == 3 ? Number(args, i, kDims - 1) : S::Of(0), args.inputs[0],
          kDims == 3 ? kMode : int{kNearest}, kPadding, kAlign) {}
  static SY_FN auto Number(const SampleGradientArgs& args, long long i, int d) {
    return LiftStepwise(static_cast<const E*>(args.grid)[i * kDims + d]);
  }
  // The element in its plane; -1 outside.
  SY_FN long long Element(int a, int b, int k) const {
    if (z.at[a] < 0 || y.at[b] < 0 || x.at[k] < 0) return -1;
    return (z.at[a] * h + y.at[b]) * w + x.at[k];
  }
};

// The gradient of a place of the grid a thread.
template <class E, int kDims, int kMode, int kPadding, bool kAlign>
SY_FN void GridGradient(const SampleGradientArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.images * args.n) return;
  const SamplingOf<SlopedSampling<E>, E, kDims, kMode, kPadding, kAlign> s(args, i);
  using V = typename Sampling<E>::V;
  const V zero = Sampling<E>::Of(0);
  V gx = zero, gy = zero, gz = zero;
  for (long long c = 0; kMode != kNearest && c < args.channels; ++c) {
    const long long p = i / args.n * args.channels + c;
    const E* in = static_cast<const E*>(args.in) + p * s.plane;
    const V by = LiftStepwise(static_cast<const E*>(args.grad)[p * args.n + i % args.n]);
    const auto at = [&](int a, int b, int k) {
      const long long element = s.Element(a, b, k);
      return element < 0 ? zero : LiftStepwise(in[element]);
    };
    if constexpr (kMode == kCubic) {
      for (int k = 0; k < 4; ++k) {
        for (int b = 0; b < 4; ++b) {
          const V value = at(0, b, k) * by;
          gx = gx - value * s.x.slope[k] * s.y.weight[b];
          gy = gy - value * s.y.slope[b] * s.x.weight[k];
        }
      }
    } else if constexpr (kDims == 2) {
      const V nw = at(0, 0, 0), ne = at(0, 0, 1), sw = at(0, 1, 0), se = at(0, 1, 1);
      gx = gx + ((ne - nw) * s.y.weight[0] + (se - sw) * s.y.weight[1]) * by;
      gy = gy + ((sw - nw) * s.x.weight[0] + (se - ne) * s.x.weight[1]) * by;
    } else {
      const auto add = [](V& sum, bool far, V change) { sum = far ? sum + change : sum - change; };
      for (int a = 0; a < 2; ++a) {
        for (int b = 0; b < 2; ++b) {
          for (int k = 0; k < 2; ++k) {
            const V value = at(a, b, k);
            add(gx, k == 1, value * s.y.weight[b] * s.z.weight[a] * by);
            add(gy, b == 1, value * s.x.weight[k] * s.z.weight[a] * by);
            add(gz, a == 1, value * s.x.weight[k] * s.y.weight[b] * by);
          }
        }
      }
    }
  }
  E* to = static_cast<E*>(args.out) + i * kDims;
  const bool nearest = kMode == kNearest;
  to[0] = Lower<E>(nearest ? zero : gx * s.x.factor);
  to[1] = Lower<E>(nearest ? zero : gy * s.y.factor);
  if constexpr (kDims == 3) to[2] = Lower<E>(nearest ? zero : gz * s.z.factor);
}

// The gradient of some rows of a plane a thread, which looks at all places for what falls into
// them: sums have an order, whatever the threads.
template <class E, int kDims, int kMode, int kPadding, bool kAlign>
SY_FN void ImageGradient(const SampleGradientArgs& args) {
  const long long t = ThreadIndex(), p = t / args.bands, band = t % args.bands;
  if (p >= args.images * args.channels) return;
  using Place = SamplingOf<Sampling<E>, E, kDims, kMode, kPadding, kAlign>;
  using V = typename Sampling<E>::V;
  constexpr int kTaps = kMode == kCubic ? 4 : kMode == kNearest ? 1 : 2;
  constexpr int kDeep = kDims == 3 ? kTaps : 1;
  constexpr long long kLanes = kIsHalf<E> && kDims == 2 ? 16 : 1;
  const long long w = args.inputs[2], rows = args.inputs[0] * args.inputs[1];
  const long long first = p / args.channels * args.n;
  E* to = static_cast<E*>(args.out) + p * rows * w;
  const E* grad = static_cast<const E*>(args.grad) + p * args.n;
  for (long long row = band; row < rows; row += args.bands) {
    for (long long k = 0; k < w; ++k) to[row * w + k] = Lower<E>(Sampling<E>::Of(0));
  }
  const auto add = [&](const Place& s, long long i, int a, int b, int k) {
    const long long element = s.Element(a, b, k);
    if (element < 0 || element / w % args.bands != band) return;
    const V by = LiftStepwise(grad[i]);
    const V change = kMode == kCubic ? by * s.x.weight[k] * s.y.weight[b]
                                     : s.x.weight[k] * s.y.weight[b] * s.z.weight[a] * by;
    to[element] = Lower<E>(LiftStepwise(to[element]) + change);
  };
  for (long long i = 0, last = 0; i < args.n; i = last) {
    last = i + kLanes < args.n ? i + kLanes : args.n;
    const long long end = args.row == 0 ? last : (i / args.row + 1) * args.row;
    if (end < last) last = end;
    if constexpr (kLanes == 1) {
      const Place s(args, first + i);
      for (int a = 0; a < kDeep; ++a) {
        for (int b = 0; b < kTaps; ++b) {
          for (int k = 0; k < kTaps; ++k) add(s, i, a, b, k);
        }
      }
    } else {
      for (int e = 0; e < kTaps * kTaps; ++e) {
        const int outer = e / kTaps, inner = e % kTaps;
        for (long long j = i; j < last; ++j) {
          add(Place(args, first + j), j, 0, kMode == kCubic ? inner : outer,
              kMode == kCubic ? outer : inner);
        }
      }
    }
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_GRADIENT_H_
