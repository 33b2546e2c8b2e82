// Stable sorting of rows that fit a block by CUB, beside our own (device/sort.h): which of both is
// used is measured.
//
// Source: cub::BlockRadixSort, https://nvidia.github.io/cccl/cub/.
// NVRTC alone compiles this header, where CUB's headers are found.
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_CUB_SORT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_CUB_SORT_H_

#include <cub/block/block_radix_sort.cuh>

#include "switchyard/backends/cuda/device/sort.h"

namespace sy::cuda {

// A row for each block, at most kThreads * kItems elements. Beyond a row's end there are items with
// the last of all keys, behind elements that have it, too.
template <class T, bool kDescending, int kThreads, int kItems>
SY_FN void CubSortRows(const SortArgs& args) {
  using Sort = ::cub::BlockRadixSort<Key<T>, kThreads, kItems, unsigned short>;
  __shared__ typename Sort::TempStorage room;
  const long long row = blockIdx.x;
  const int n = static_cast<int>(args.n), t = static_cast<int>(threadIdx.x);
  const T* from = static_cast<const T*>(args.values) + row * args.n;
  Key<T> keys[kItems];
  unsigned short places[kItems];
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const int i = t * kItems + j;
    keys[j] = i < n ? OrderKey<T, kDescending>(from[i]) : kAllOnes<T>;
    places[j] = static_cast<unsigned short>(i);
  }
  Sort(room).SortBlockedToStriped(keys, places, 0, kKeyBits<T>);
#pragma unroll
  for (int j = 0; j < kItems; ++j) {
    const int i = j * kThreads + t;
    if (i < n) WriteSorted(args, row, i, from[places[j]], places[j]);
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_CUB_SORT_H_
