// What the threads of a block find out together. All of a block's threads call these.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_BLOCK_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_BLOCK_H_

#include "switchyard/backends/cuda/device/grid.h"

namespace sy::cuda {

inline constexpr unsigned kWholeWarp = 0xffffffffu;

SY_FN int LaneOfWarp() { return static_cast<int>(threadIdx.x % 32); }
SY_FN int WarpOfBlock() { return static_cast<int>(threadIdx.x / 32); }
SY_FN unsigned LanesBefore() { return (1u << LaneOfWarp()) - 1; }

// What lane `lane` of the warp says, of any type. All lanes call it.
template <class V>
SY_FN V FromLane(const V& x, int lane) {
  constexpr int kWords = (sizeof(V) + 3) / 4;
  unsigned words[kWords] = {};
  memcpy(words, &x, sizeof x);
  for (int k = 0; k < kWords; ++k) words[k] = __shfl_sync(kWholeWarp, words[k], lane);
  V y;
  memcpy(&y, words, sizeof y);
  return y;
}
// combine(a, b) of the warp's lanes, in every one of them.
template <class V, class F>
SY_FN V WarpAll(V x, F combine) {
  for (int d = 16; d > 0; d /= 2) x = combine(x, FromLane(x, LaneOfWarp() ^ d));
  return x;
}

// Whether this is the last block of its blockIdx.x to come here: what the others have written
// before is then seen. `counter`, of that blockIdx.x, is 0 before the first and after the last has
// come. All of a block's threads call it, once.
SY_FN bool IsLastBlock(unsigned* counter) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // what the block has written goes before it is counted
    last = atomicAdd(counter, 1u) + 1 == gridDim.y;
    if (last) *counter = 0;
    __threadfence();  // what others have written is read after they were counted
  }
  __syncthreads();
  return last;
}

// The sum of the lanes up to this one.
template <class C>
SY_FN C WarpSumUpTo(C x) {
  const int lane = LaneOfWarp();
  for (int d = 1; d < 32; d *= 2) {
    const C other = __shfl_up_sync(kWholeWarp, x, static_cast<unsigned>(d));
    if (lane >= d) x += other;
  }
  return x;
}

// The sum of the threads before this one; `all`: of every thread.
template <int kThreads, class C>
SY_FN C BlockSumBefore(C x, C& all) {
  constexpr int kWarps = kThreads / 32;
  __shared__ C sums[kWarps];
  const C up_to = WarpSumUpTo(x);
  __syncthreads();  // sums may still be read from before
  if (LaneOfWarp() == 31) sums[WarpOfBlock()] = up_to;
  __syncthreads();
  C before = up_to - x;
  all = 0;
  for (int w = 0; w < kWarps; ++w) {
    if (w < WarpOfBlock()) before += sums[w];
    all += sums[w];
  }
  return before;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_BLOCK_H_
