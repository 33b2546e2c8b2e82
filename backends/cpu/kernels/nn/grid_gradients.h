// Gradients of images and of the grids by which they are sampled. Sums are taken in ATen's order,
// in which those of 16-bit floats are rounded: along channels for the grid; for an image, of a few
// places at once element by element of what they take. Source:
// ATen/native/cpu/GridSamplerKernel.cpp, ATen/native/GridSampler.cpp.
//
//   all.OfGrid(grad_grid, 0, places);  all.OfImage(grad_input, 0, channels);
//
// E: elements in memory, T: what they are computed as.
// Owns: nothing; tensors are dense. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_GRADIENTS_H_
#define SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_GRADIENTS_H_

#include <algorithm>
#include <array>

#include "backends/cpu/kernels/nn/grid_slopes.h"
#include "switchyard/core/tensor.h"

namespace sy::cpu {

constexpr int64_t kLanes = 16;  // places at once

template <class E, class T>
struct Gradients {
  const Tensor &grad, &in, &grid;
  int64_t mode, padding;
  bool align, by_rows;

  int64_t dims = in.dim() - 2, channels = in.sizes()[1];
  int64_t depth = dims == 3 ? in.sizes()[2] : 1, h = in.size(-2), w = in.size(-1);
  int64_t plane = depth * h * w, n = grid.numel() / (grid.sizes()[0] * dims), row = grid.size(-2);

  template <class Axis>
  Axis TapsAlong(int d, const E* g) const {  // x, y, z
    const int64_t size = d == 0 ? w : d == 1 ? h : depth;
    return d < dims ? Axis(T(g[d]), size, mode, padding, align)
                    : Axis(T(0), size, kNearest, padding, align);
  }

  // Of places begin … end - 1 of the grids of all images. The nearest element has no slope.
  void OfGrid(E* to, int64_t begin, int64_t end) const {
    if (mode == kNearest) return std::fill(to + begin * dims, to + end * dims, E(0.0f));
    for (int64_t i = begin; i < end; ++i) {
      const E* g = grid.data<E>() + i * dims;
      const auto tx = TapsAlong<SlopedTaps<T>>(0, g), ty = TapsAlong<SlopedTaps<T>>(1, g),
                 tz = TapsAlong<SlopedTaps<T>>(2, g);
      std::array<T, 3> sums{T(0), T(0), T(0)};
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t p = i / n * channels + c;
        const T by(grad.data<E>()[p * n + i % n]);
        const auto at = [&](int a, int b, int k) {
          if (tz.at[a] < 0 || ty.at[b] < 0 || tx.at[k] < 0) return T(0);
          return T(in.data<E>()[p * plane + (tz.at[a] * h + ty.at[b]) * w + tx.at[k]]);
        };
        if (mode == kCubic) {
          AddCubic(at, by, tx, ty, sums);
        } else if (dims == 2) {
          AddDifferences(at, by, tx, ty, sums);
        } else {
          AddCorners(at, by, tx, ty, tz, sums);
        }
      }
      const std::array<T, 3> factors{tx.factor, ty.factor, tz.factor};
      for (int64_t d = 0; d < dims; ++d)
        to[i * dims + d] = E(sums[static_cast<size_t>(d)] * factors[static_cast<size_t>(d)]);
    }
  }
  template <class At>
  static void AddCubic(At at, T by, const SlopedTaps<T>& tx, const SlopedTaps<T>& ty,
                       std::array<T, 3>& sums) {
    for (int k = 0; k < 4; ++k) {
      for (int b = 0; b < 4; ++b) {
        const T value = at(0, b, k) * by;
        sums[0] = sums[0] - value * tx.slope[k] * ty.weight[b];
        sums[1] = sums[1] - value * ty.slope[b] * tx.weight[k];
      }
    }
  }
  template <class At>
  static void AddDifferences(At at, T by, const SlopedTaps<T>& tx, const SlopedTaps<T>& ty,
                             std::array<T, 3>& sums) {
    const T nw = at(0, 0, 0), ne = at(0, 0, 1), sw = at(0, 1, 0), se = at(0, 1, 1);
    sums[0] = sums[0] + ((ne - nw) * ty.weight[0] + (se - sw) * ty.weight[1]) * by;
    sums[1] = sums[1] + ((sw - nw) * tx.weight[0] + (se - ne) * tx.weight[1]) * by;
  }
  template <class At>
  static void AddCorners(At at, T by, const SlopedTaps<T>& tx, const SlopedTaps<T>& ty,
                         const SlopedTaps<T>& tz, std::array<T, 3>& sums) {
    const auto add = [](T& sum, bool far, T change) { sum = far ? sum + change : sum - change; };
    for (int a = 0; a < 2; ++a) {
      for (int b = 0; b < 2; ++b) {
        for (int k = 0; k < 2; ++k) {
          const T value = at(a, b, k);
          add(sums[0], k == 1, value * ty.weight[b] * tz.weight[a] * by);
          add(sums[1], b == 1, value * tx.weight[k] * tz.weight[a] * by);
          add(sums[2], a == 1, value * tx.weight[k] * ty.weight[b] * by);
        }
      }
    }
  }

  // Of planes begin … end - 1, which belong to one image; `to` is that of the first.
  void OfImage(E* to, int64_t begin, int64_t end) const {
    const int64_t image = begin / channels;
    std::fill_n(to, (end - begin) * plane, E(0.0f));
    const int64_t lanes = dims == 2 ? kLanes : 1;
    for (int64_t i = 0, last = 0; i < n; i = last) {
      last = std::min(n, i + lanes);
      if (by_rows) last = std::min(last, (i / row + 1) * row);
      AddPlaces(to, image, i, last, begin, end);
    }
  }
  void AddPlaces(E* to, int64_t image, int64_t first, int64_t last, int64_t begin,
                 int64_t end) const {
    std::array<Taps<T>, kLanes> tx, ty, tz;
    for (int64_t i = first; i < last; ++i) {
      const E* g = grid.data<E>() + (image * n + i) * dims;
      const size_t lane = static_cast<size_t>(i - first);
      tx[lane] = TapsAlong<Taps<T>>(0, g);
      ty[lane] = TapsAlong<Taps<T>>(1, g);
      tz[lane] = TapsAlong<Taps<T>>(2, g);
    }
    for (int64_t p = begin; p < end; ++p, to += plane) {
      const E* by = grad.data<E>() + p * n;
      const auto add = [&](int a, int b, int k) {
        for (int64_t i = first; i < last; ++i) {
          const size_t lane = static_cast<size_t>(i - first);
          const Taps<T>&x = tx[lane], &y = ty[lane], &z = tz[lane];
          if (z.at[a] < 0 || y.at[b] < 0 || x.at[k] < 0) continue;
          E& sum = to[(z.at[a] * h + y.at[b]) * w + x.at[k]];
          const T change = mode == kCubic ? T(by[i]) * x.weight[k] * y.weight[b]
                                          : x.weight[k] * y.weight[b] * z.weight[a] * T(by[i]);
          sum = E(T(sum) + change);
        }
      };
      if (mode == kCubic) {
        for (int k = 0; k < 4; ++k) {
          for (int b = 0; b < 4; ++b) add(0, b, k);
        }
        continue;
      }
      for (int a = 0; a < tz[0].count; ++a) {
        for (int b = 0; b < ty[0].count; ++b) {
          for (int k = 0; k < tx[0].count; ++k) add(a, b, k);
        }
      }
    }
  }
};

}  // namespace sy::cpu

#endif  // SWITCHYARD_BACKENDS_CPU_KERNELS_NN_GRID_GRADIENTS_H_
