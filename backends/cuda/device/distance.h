// Distances between rows: tiles of 16 x 16 pairs, a thread for each, rows through shared memory.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_DISTANCE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_DISTANCE_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"

namespace sy::cuda {

// The sum of |x - y|^p, to the power 1 / p: the ps that have their own formula, and any other.
enum DistanceKind { kCountDifferent, kSumOfAbsolutes, kEuclidean, kLargest, kOfPower };

// s: so far; d: |x - y|.
template <int kKind, class T>
SY_FN T AddDifference(T s, T d, T p) {
  if constexpr (kKind == kCountDifferent) return s + (d == 0 ? T(0) : T(1));
  if constexpr (kKind == kSumOfAbsolutes) return s + d;
  if constexpr (kKind == kEuclidean) return s + d * d;
  if constexpr (kKind == kLargest) return d > s || d != d ? d : s;
  return s + ::pow(d, p);
}

// kPairs: of rows i < j of x alone, one after the other.
template <class T, int kKind, int kPairs>
SY_FN void Distances(const DistanceArgs& args) {
  constexpr int kSide = 16;
  __shared__ T left[kSide][kSide + 1];
  __shared__ T right[kSide][kSide + 1];
  const long long across = (args.n + kSide - 1) / kSide, tile = blockIdx.x;
  const int v = static_cast<int>(threadIdx.x) / kSide, u = static_cast<int>(threadIdx.x) % kSide;
  const long long top = tile / across * kSide, side = tile % across * kSide;
  if (kPairs != 0 && side + kSide <= top) return;
  const long long row = top + v, column = side + u;
  const T p = static_cast<T>(args.p);
  for (long long b = blockIdx.y; b < args.batch; b += gridDim.y) {
    const T* x = static_cast<const T*>(args.x) + b * args.m * args.d;
    const T* y = static_cast<const T*>(args.y) + b * args.n * args.d;
    T sum = 0;
    for (long long first = 0; first < args.d; first += kSide) {
      const long long at = first + u;
      const bool inside = at < args.d;
      left[v][u] = inside && row < args.m ? x[row * args.d + at] : T(0);
      right[v][u] = inside && side + v < args.n ? y[(side + v) * args.d + at] : T(0);
      __syncthreads();
      for (int i = 0; i < kSide && first + i < args.d; ++i) {
        const T d = left[v][i] - right[u][i];
        sum = AddDifference<kKind>(sum, d < 0 ? -d : d, p);
      }
      __syncthreads();
    }
    if constexpr (kKind == kEuclidean) sum = ::sqrt(sum);
    if constexpr (kKind == kOfPower) sum = ::pow(sum, 1 / p);
    T* out = static_cast<T*>(args.out);
    if constexpr (kPairs != 0) {
      if (column < args.n && row < column)
        out[row * args.n - row * (row + 1) / 2 - row - 1 + column] = sum;
    } else if (row < args.m && column < args.n) {
      out[(b * args.m + row) * args.n + column] = sum;
    }
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_DISTANCE_H_
