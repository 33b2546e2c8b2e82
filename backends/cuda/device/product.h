// Matrix products, where no library does them: tiles of 16 x 16, a thread for each element.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_PRODUCT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_PRODUCT_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

inline constexpr int kTile = 16;

// T: elements; kScaled: alpha, beta and x count.
template <class T, bool kScaled>
SY_FN void Product(const ProductArgs& args) {
  using V = decltype(Lift(T()));
  __shared__ V left[kTile][kTile + 1];
  __shared__ V right[kTile][kTile + 1];
  const long long across = (args.n + kTile - 1) / kTile, tile = blockIdx.x;
  const int y = static_cast<int>(threadIdx.x) / kTile, x = static_cast<int>(threadIdx.x) % kTile;
  const long long row = tile / across * kTile + y, column = tile % across * kTile + x;
  const V zero = Lift(Convert<T>(0.0f));
  for (long long b = blockIdx.y; b < args.batch; b += gridDim.y) {
    V sum = zero;
    for (long long first = 0; first < args.k; first += kTile) {
      const long long ka = first + x, kb = first + y;
      left[y][x] = row < args.m && ka < args.k
                       ? Lift(At<T>(args.a, b * args.a_strides[0] + row * args.a_strides[1] +
                                                ka * args.a_strides[2]))
                       : zero;
      right[y][x] = column < args.n && kb < args.k
                        ? Lift(At<T>(args.b, b * args.b_strides[0] + kb * args.b_strides[1] +
                                                 column * args.b_strides[2]))
                        : zero;
      __syncthreads();
      for (int i = 0; i < kTile; ++i) sum = MultiplyAdd(left[y][i], right[i][x], sum);
      __syncthreads();
    }
    if (row >= args.m || column >= args.n) continue;
    if constexpr (kScaled) {
      sum = sum * At<V>(&args.alpha, 0);
      if (args.x != nullptr) {
        const T before = At<T>(
            args.x, b * args.x_strides[0] + row * args.x_strides[1] + column * args.x_strides[2]);
        sum = At<V>(&args.beta, 0) * Lift(before) + sum;
      }
    }
    At<T>(args.out, b * args.out_strides[0] + row * args.out_strides[1] +
                        column * args.out_strides[2]) = Lower<T>(sum);
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_PRODUCT_H_
