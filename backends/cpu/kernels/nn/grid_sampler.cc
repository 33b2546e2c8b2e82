// Positions are found once; each channel then takes the same elements and weights.
#include <algorithm>

#include "backends/cpu/kernels/nn/grid_taps.h"
#include "switchyard/backends/cpu/engine/dense.h"
#include "switchyard/core/parallel.h"
#include "switchyard/op/kernel.h"

namespace sy::cpu {
namespace {

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
