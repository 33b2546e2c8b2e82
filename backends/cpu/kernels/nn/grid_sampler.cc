// Positions are found in the type computed in; each channel then takes the same elements and
// weights. 16-bit floats round at every step, as ATen's do. Source of the modes:
// ATen/native/GridSampler.h.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "backends/cpu/kernels/nn/stepwise_half.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

enum Padding : int64_t { kZeros = 0, kBorder = 1, kReflection = 2 };
constexpr int64_t kNearest = 1, kCubic = 2;

// -1 … 1 to elements 0 … size - 1.
template <class T>
T Unnormalized(T x, int64_t size, bool align) {
  const T n(size);
  return align ? (x + T(1)) / T(2) * (n - T(1)) : ((x + T(1)) * n - T(1)) / T(2);
}

template <class T>
T Clipped(T x, int64_t size) {
  return std::min(T(size - 1), std::max(x, T(0)));
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

// E: elements in memory, T: what they are computed as.
template <class E, class T>
struct Samples {
  const Tensor &in, &grid, &out;
  int64_t mode, padding;
  bool align;

  // Samples begin … end - 1 of one image.
  void Run(int64_t image, int64_t begin, int64_t end) const {
    const int64_t dims = in.dim() - 2, channels = in.sizes()[1];
    const int64_t depth = dims == 3 ? in.sizes()[2] : 1, h = in.size(-2), w = in.size(-1);
    const int64_t n = out.numel() / (out.sizes()[0] * channels), plane = depth * h * w;
    const E* x = in.data<E>() + image * channels * plane;
    E* y = out.data<E>() + image * channels * n;
    for (int64_t i = begin; i < end; ++i) {
      const E* g = grid.data<E>() + (image * n + i) * dims;
      const Taps<T> tx(T(g[0]), w, mode, padding, align), ty(T(g[1]), h, mode, padding, align);
      const Taps<T> tz(dims == 3 ? T(g[2]) : T(0), depth, dims == 3 ? mode : kNearest, padding,
                       align);
      for (int64_t c = 0; c < channels; ++c) {
        const E* from = x + c * plane;
        y[c * n + i] = E(mode == kCubic ? CubicSum(from, ty, tx, w) : Sum(from, tz, ty, tx, h, w));
      }
    }
  }
  static T Sum(const E* x, const Taps<T>& tz, const Taps<T>& ty, const Taps<T>& tx, int64_t h,
               int64_t w) {
    T sum(0);
    for (int a = 0; a < tz.count; ++a) {
      for (int b = 0; b < ty.count; ++b) {
        for (int c = 0; c < tx.count; ++c) {
          if (tz.at[a] < 0 || ty.at[b] < 0 || tx.at[c] < 0) continue;
          const T weight = tx.weight[c] * ty.weight[b] * tz.weight[a];
          sum = sum + T(x[(tz.at[a] * h + ty.at[b]) * w + tx.at[c]]) * weight;
        }
      }
    }
    return sum;
  }
  // Row by row, then across them.
  static T CubicSum(const E* x, const Taps<T>& ty, const Taps<T>& tx, int64_t w) {
    T sum(0);
    for (int b = 0; b < 4; ++b) {
      T row(0);
      for (int c = 0; c < 4; ++c) {
        const bool inside = ty.at[b] >= 0 && tx.at[c] >= 0;
        if (inside) row = row + T(x[ty.at[b] * w + tx.at[c]]) * tx.weight[c];
      }
      sum = sum + row * ty.weight[b];
    }
    return sum;
  }
};

template <class E>
struct ComputedAs {
  using Type = std::conditional_t<sizeof(E) == 2, Stepwise<E>, E>;
};

void GridSampler(Call, const Tensor& out, const Tensor& input, const Tensor& grid, int64_t mode,
                 int64_t padding, bool align) {
  if (out.numel() == 0) return;
  const DType d = input.dtype();
  const Tensor in = Dense(input, d), places = Dense(grid, d);
  IntoDense(out, d, [&](const Tensor& to) {
    VisitDType<kFloatingTypes>(d, [&](auto tag) {
      using E = typename decltype(tag)::type;
      const Samples<E, typename ComputedAs<E>::Type> samples{in, places, to, mode, padding, align};
      const int64_t n = to.numel() / (to.sizes()[0] * to.sizes()[1]);
      ParallelFor(to.sizes()[0] * n, 1 << 10, [&](int64_t begin, int64_t end) {
        for (int64_t i = begin; i < end;) {  // image by image
          const int64_t image = i / n, last = std::min(end, (image + 1) * n);
          samples.Run(image, i - image * n, last - image * n);
          i = last;
        }
      });
    });
  });
}

const Kernel sampler2d{"grid_sampler_2d", "cpu", kFloatingTypes, GridSampler};
const Kernel sampler3d{"grid_sampler_3d", "cpu", kFloatingTypes, GridSampler};

}  // namespace
}  // namespace sy::cpu
