// Elements of images at places between them: what a place shows is found once and weighted for
// every channel. 16-bit floats round at every step, as ATen's do. Source of the modes:
// ATen/native/GridSampler.h.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_SAMPLE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_SAMPLE_H_

#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/vectors.h"

namespace sy::cuda {

enum SampleMode { kLinear, kNearest, kCubic };
enum SamplePadding { kZeros, kBorder, kReflection };

// Coordinates of images of elements E.
template <class E>
struct Sampling {
  using V = decltype(LiftStepwise(E()));

  static SY_FN V Of(double x) { return LiftStepwise(Convert<E>(x)); }
  static SY_FN double Value(Num<float> x) { return x.v; }
  static SY_FN double Value(Num<double> x) { return x.v; }
  static SY_FN double Value(Stepwise<E> x) requires kIsHalf<E> { return x.v.v; }

  // -1 … 1 to elements 0 … size - 1.
  static SY_FN V Unnormalized(V x, long long size, bool align) {
    const V n = Of(static_cast<double>(size)), one = Of(1), two = Of(2);
    return align ? (x + one) / two * (n - one) : ((x + one) * n - one) / two;
  }
  static SY_FN V Clipped(V x, long long size) {
    const V most = Of(static_cast<double>(size - 1)), least = Of(0);
    const V above = select(x > least, x, least);  // NaN: the first element
    return select(above < most, above, most);
  }
  // Reflected at low / 2 and high / 2 until it lies between them.
  static SY_FN V Reflected(V x, long long twice_low, long long twice_high) {
    if (twice_low == twice_high) return Of(0);
    const V two = Of(2), low = Of(static_cast<double>(twice_low)) / two,
            span = Of(static_cast<double>(twice_high - twice_low)) / two;
    x = x - low;
    if (x < Of(0)) x = Of(0) - x;
    const V extra = fmod(x, span);
    const bool even = fmod(floor(x / span), two) == Of(0);
    return even ? extra + low : span - extra + low;
  }
  static SY_FN V Padded(V x, long long size, int padding, bool align) {
    if (padding == kReflection) {
      x = align ? Reflected(x, 0, 2 * (size - 1)) : Reflected(x, -1, 2 * size - 1);
      x = Clipped(x, size);
    } else if (padding == kBorder) {
      x = Clipped(x, size);
    }
    // Numbers that no integer holds, and NaN, lie outside.
    return x > Of(-100) && x < Of(1 << 30) ? x : Of(-100);
  }

  // Neighbours along one dimension and their weights; -1 where they lie in zeros.
  int count;
  long long at[4];
  V weight[4];

  SY_FN Sampling(V x, long long size, int mode, int padding, bool align) {
    x = Unnormalized(x, size, align);
    if (mode == kCubic) {
      count = 4;
      const V first = floor(x);
      CubicWeights(x - first);
      for (int i = 0; i < 4; ++i)
        Neighbour(i, Padded(first + Of(i - 1), size, padding, align), size);
      return;
    }
    x = Padded(x, size, padding, align);
    if (mode == kNearest) {
      count = 1;
      Neighbour(0, Of(::rint(Value(x))), size);
      weight[0] = Of(1);
      return;
    }
    count = 2;
    const V first = floor(x);
    for (int i = 0; i < 2; ++i) Inside(i, static_cast<long long>(Value(first)) + i, size);
    weight[0] = first + Of(1) - x;
    weight[1] = x - first;
  }

 private:
  SY_FN void Inside(int i, long long position, long long size) {
    at[i] = position >= 0 && position < size ? position : -1;
  }
  SY_FN void Neighbour(int i, V x, long long size) {
    Inside(i, static_cast<long long>(Value(x)), size);
  }
  // The cubic convolution's weights of 4 neighbours, A = -0.75.
  SY_FN void CubicWeights(V t) {
    const V one = Of(1), a = Of(-0.75);
    const auto near = [&](V x) { return (Of(1.25) * x - Of(2.25)) * x * x + one; };
    const auto far = [&](V x) { return ((a * x - Of(-3.75)) * x + Of(-6)) * x - Of(-3); };
    weight[0] = far(t + one);
    weight[1] = near(t);
    weight[2] = near(one - t);
    weight[3] = far(Of(2) - t);
  }
};

// A place of the grid a thread.
template <class E, int kDims, int kMode, int kPadding, int kAlign>
SY_FN void SampleGrid(const SampleArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.images * args.n) return;
  using S = Sampling<E>;
  using V = typename S::V;
  const long long image = i / args.n, depth = args.inputs[0], h = args.inputs[1],
                  w = args.inputs[2];
  const E* g = static_cast<const E*>(args.grid) + i * kDims;
  const S tx(LiftStepwise(g[0]), w, kMode, kPadding, kAlign != 0),
      ty(LiftStepwise(g[1]), h, kMode, kPadding, kAlign != 0);
  const S tz(kDims == 3 ? LiftStepwise(g[kDims - 1]) : S::Of(0), depth,
             kDims == 3 ? kMode : int{kNearest}, kPadding, kAlign != 0);
  for (long long c = 0; c < args.channels; ++c) {
    const long long plane = image * args.channels + c;
    const E* x = static_cast<const E*>(args.in) + plane * depth * h * w;
    V sum = S::Of(0);
    if constexpr (kMode == kCubic) {  // row by row, then across them
      for (int b = 0; b < 4; ++b) {
        V row = S::Of(0);
        for (int k = 0; k < 4; ++k) {
          if (ty.at[b] >= 0 && tx.at[k] >= 0)
            row = row + LiftStepwise(x[ty.at[b] * w + tx.at[k]]) * tx.weight[k];
        }
        sum = sum + row * ty.weight[b];
      }
    } else {
      for (int a = 0; a < tz.count; ++a) {
        for (int b = 0; b < ty.count; ++b) {
          for (int k = 0; k < tx.count; ++k) {
            if (tz.at[a] < 0 || ty.at[b] < 0 || tx.at[k] < 0) continue;
            const V weight = tx.weight[k] * ty.weight[b] * tz.weight[a];
            sum = sum + LiftStepwise(x[(tz.at[a] * h + ty.at[b]) * w + tx.at[k]]) * weight;
          }
        }
      }
    }
    static_cast<E*>(args.out)[plane * args.n + i % args.n] = Lower<E>(sum);
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_GRID_SAMPLE_H_
