// Sums of what comes before, over the device's memory, in place: of one block's worth at once, else
// tile by tile from the sums of the tiles.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_SCAN_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_SCAN_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/number.h"
#include "switchyard/backends/cuda/device/order_args.h"

namespace sy::cuda {

inline constexpr int kScanItems = 8;
inline constexpr int kScanTile = kOrderThreads * kScanItems;

// One tile, beginning at `first`, after numbers that sum up to `before`. Returns its own sum.
template <class C>
SY_FN C ScanTile(const ScanArgs& args, long long first, C before) {
  C* const data = static_cast<C*>(args.data);
  const long long begin = first + static_cast<long long>(threadIdx.x) * kScanItems;
  C x[kScanItems], sum = 0, all;
  for (int k = 0; k < kScanItems; ++k) {
    x[k] = begin + k < args.n ? data[begin + k] : 0;
    sum += x[k];
  }
  C at = before + BlockSumBefore<kOrderThreads>(sum, all);
  for (int k = 0; k < kScanItems; ++k) {
    if (begin + k < args.n) data[begin + k] = at;
    at += x[k];
  }
  return all;
}

template <class C>
SY_FN void ScanAll(const ScanArgs& args) {
  C before = 0;
  for (long long first = 0; first < args.n; first += kScanTile)
    before += ScanTile(args, first, before);
  if (threadIdx.x == 0) static_cast<C*>(args.data)[args.n] = before;
}

template <class C>
SY_FN void SumTiles(const ScanArgs& args) {
  const long long begin = static_cast<long long>(blockIdx.x) * kScanTile + threadIdx.x;
  C sum = 0, all;
  for (int k = 0; k < kScanItems; ++k) {
    const long long i = begin + k * kOrderThreads;
    if (i < args.n) sum += static_cast<const C*>(args.data)[i];
  }
  BlockSumBefore<kOrderThreads>(sum, all);
  if (threadIdx.x == 0) static_cast<C*>(args.sums)[blockIdx.x] = all;
}
template <class C>
SY_FN void ScanTiles(const ScanArgs& args) {
  const C before = static_cast<const C*>(args.sums)[blockIdx.x];
  const C own = ScanTile(args, static_cast<long long>(blockIdx.x) * kScanTile, before);
  if (threadIdx.x == 0 && blockIdx.x + 1 == gridDim.x)
    static_cast<C*>(args.data)[args.n] = before + own;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SCAN_H_
