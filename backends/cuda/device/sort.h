// Stable sorting of rows that lie densely: short rows by counting who comes before, rows that fit a
// block in its shared memory, longer ones by passes over the device's memory, a digit of the keys
// at a time. Between passes elements move with their places.
// Source of the ranks by digits, a warp at a time: A. Adinets, D. Merrill, "Onesweep: a faster
// least significant digit radix sort for GPUs", arXiv:2206.01784; without its chained scan: counts
// of digits are scanned by kernels of their own (device/scan.h).
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_SORT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_SORT_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/keys.h"

namespace sy::cuda {

// An element whose place in its row has become known.
template <class T>
SY_FN void WriteSorted(const SortArgs& args, long long row, long long at, T x, long long place) {
  const long long first = row * args.n;
  if (args.to_values != nullptr) static_cast<T*>(args.to_values)[first + at] = x;
  if (args.to_places != nullptr) {
    static_cast<long long*>(args.to_places)[first + at] =
        args.names == nullptr ? place : args.names[first + place];
  }
}

// Rows of a few elements: a thread for each of them.
template <class T, bool kDescending, class Index>
SY_FN void SortShortRows(const SortArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.rows * args.n) return;
  const int n = static_cast<int>(args.n);
  const long long row = static_cast<Index>(i) / static_cast<Index>(n);
  const int own = static_cast<int>(i - row * n);
  const T* x = static_cast<const T*>(args.values) + row * n;
  const Key<T> key = OrderKey<T, kDescending>(x[own]);
  int rank = 0;
  for (int j = 0; j < n; ++j) {
    const Key<T> other = OrderKey<T, kDescending>(x[j]);
    rank += other < key || (other == key && j < own);
  }
  WriteSorted(args, row, rank, x[own], own);
}

// Lanes of the warp whose digit is the same.
SY_FN unsigned PeersOf(unsigned digit) {
  unsigned peers = kWholeWarp;
#pragma unroll
  for (int bit = 0; bit < kDigitBits; ++bit) {
    const bool set = (digit >> bit & 1) != 0;
    const unsigned with = __ballot_sync(kWholeWarp, set);
    peers &= set ? with : ~with;
  }
  return peers;
}

// Where the items of a tile belong when sorted by their digits; starts[d]: where digit d begins.
// Item j of a thread is the tile's number (warp * kItems + j) * 32 + lane.
template <int kThreads, int kItems>
SY_FN void RankItems(const unsigned (&digits)[kItems], unsigned (&ranks)[kItems],
                     unsigned* starts) {
  constexpr int kWarps = kThreads / 32;
  __shared__ unsigned counts[kWarps * kDigits];
  const int t = static_cast<int>(threadIdx.x), lane = LaneOfWarp();
  unsigned* const own = counts + WarpOfBlock() * kDigits;
  for (int i = t; i < kWarps * kDigits; i += kThreads) counts[i] = 0;
  __syncthreads();
  for (int j = 0; j < kItems; ++j) {
    const unsigned peers = PeersOf(digits[j]);
    const int first_lane = __ffs(static_cast<int>(peers)) - 1;
    unsigned before = 0;
    if (lane == first_lane) {
      before = own[digits[j]];
      own[digits[j]] = before + static_cast<unsigned>(__popc(peers));
    }
    ranks[j] = __shfl_sync(kWholeWarp, before, first_lane) +
               static_cast<unsigned>(__popc(peers & LanesBefore()));
    __syncwarp();
  }
  __syncthreads();
  for (int d = t; d < kDigits; d += kThreads) {
    unsigned sum = 0;
    for (int w = 0; w < kWarps; ++w) {
      const unsigned count = counts[w * kDigits + d];
      counts[w * kDigits + d] = sum;
      sum += count;
    }
    starts[d] = sum;
  }
  __syncthreads();
  if (WarpOfBlock() == 0) {
    constexpr int kEach = kDigits / 32;
    unsigned sum = 0;
    for (int k = 0; k < kEach; ++k) sum += starts[lane * kEach + k];
    unsigned at = WarpSumUpTo(sum) - sum;
    for (int k = 0; k < kEach; ++k) {
      const unsigned count = starts[lane * kEach + k];
      starts[lane * kEach + k] = at;
      at += count;
    }
  }
  __syncthreads();
  for (int j = 0; j < kItems; ++j) ranks[j] += starts[digits[j]] + own[digits[j]];
}
template <int kItems>
SY_FN int ItemOfThread(int j) {
  return (WarpOfBlock() * kItems + j) * 32 + LaneOfWarp();
}

// A row for each block, at most kThreads * kItems elements. Beyond a row's end there are items that
// come last whatever their key.
template <class T, bool kDescending, int kThreads, int kItems>
SY_FN void SortRows(const SortArgs& args) {
  constexpr int kTile = kThreads * kItems;
  __shared__ T elements[kTile];
  __shared__ unsigned short room[kTile];
  __shared__ unsigned starts[kDigits];
  __shared__ Key<T> differing;
  const long long row = blockIdx.x;
  const int n = static_cast<int>(args.n);
  const T* from = static_cast<const T*>(args.values) + row * args.n;
  const Key<T> first = KeyOf(from[0]);
  T x[kItems];
  unsigned short places[kItems];
  Key<T> differs = 0;
  for (int j = 0; j < kItems; ++j) {
    const int i = ItemOfThread<kItems>(j);
    x[j] = from[i < n ? i : 0];
    places[j] = static_cast<unsigned short>(i);
    differs |= KeyOf(x[j]) ^ first;
  }
  if (threadIdx.x == 0) differing = 0;
  __syncthreads();
  if (differs != 0) atomicOr(&differing, differs);
  __syncthreads();
  differs = differing;
  for (int shift = 0; shift < kKeyBits<T>; shift += kDigitBits) {
    if ((differs >> shift) % kDigits == 0) continue;
    unsigned digits[kItems], ranks[kItems];
    for (int j = 0; j < kItems; ++j) {
      const auto digit = static_cast<unsigned>(OrderKey<T, kDescending>(x[j]) >> shift) % kDigits;
      digits[j] = ItemOfThread<kItems>(j) < n ? digit : kDigits - 1;
    }
    RankItems<kThreads>(digits, ranks, starts);
    for (int j = 0; j < kItems; ++j) {
      elements[ranks[j]] = x[j];
      room[ranks[j]] = places[j];
    }
    __syncthreads();
    for (int j = 0; j < kItems; ++j) {
      x[j] = elements[ItemOfThread<kItems>(j)];
      places[j] = room[ItemOfThread<kItems>(j)];
    }
  }
  for (int j = 0; j < kItems; ++j) {
    const int i = ItemOfThread<kItems>(j);
    if (i < n) WriteSorted(args, row, i, x[j], places[j]);
  }
}

// --- Rows of several tiles: a block for each tile. C: what counts of all elements fit.

template <class T, bool kDescending, int kItems, class C>
SY_FN void CountDigits(const SortArgs& args) {
  __shared__ unsigned counts[kDigits];
  const long long row = blockIdx.x / args.tiles, tile = blockIdx.x % args.tiles;
  const long long begin = tile * (kOrderThreads * kItems);
  const T* from = static_cast<const T*>(args.values) + row * args.n;
  const int t = static_cast<int>(threadIdx.x);
  counts[t] = 0;
  __syncthreads();
  for (int j = 0; j < kItems; ++j) {
    const long long i = begin + j * kOrderThreads + t;
    if (i >= args.n) continue;
    const Key<T> key = OrderKey<T, kDescending>(from[i]);
    atomicAdd(&counts[static_cast<unsigned>(key >> args.shift) % kDigits], 1u);
  }
  __syncthreads();
  static_cast<C*>(args.counts)[(row * kDigits + t) * args.tiles + tile] = counts[t];
}

template <class T, bool kDescending, bool kLast, int kItems, class C>
SY_FN void MoveByDigit(const SortArgs& args) {
  constexpr int kTile = kOrderThreads * kItems;
  __shared__ T elements[kTile];
  __shared__ unsigned room[kTile];
  __shared__ unsigned starts[kDigits];
  __shared__ C bases[kDigits];
  const long long row = blockIdx.x / args.tiles, tile = blockIdx.x % args.tiles;
  const long long begin = tile * kTile, first = row * args.n;
  const int n = static_cast<int>(args.n - begin < kTile ? args.n - begin : kTile);
  const T* from = static_cast<const T*>(args.values) + first + begin;
  const auto* from_places = static_cast<const unsigned*>(args.places);
  const int t = static_cast<int>(threadIdx.x);
  bases[t] = static_cast<const C*>(args.counts)[(row * kDigits + t) * args.tiles + tile];
  const auto digit_of = [&](T x) {
    return static_cast<unsigned>(OrderKey<T, kDescending>(x) >> args.shift) % kDigits;
  };
  T x[kItems];
  unsigned places[kItems], digits[kItems], ranks[kItems];
  for (int j = 0; j < kItems; ++j) {
    const int i = ItemOfThread<kItems>(j);
    const bool real = i < n;
    x[j] = from[real ? i : 0];
    places[j] = !real                    ? 0
                : from_places == nullptr ? static_cast<unsigned>(begin + i)
                                         : from_places[first + begin + i];
    digits[j] = real ? digit_of(x[j]) : kDigits - 1;
  }
  RankItems<kOrderThreads>(digits, ranks, starts);
  for (int j = 0; j < kItems; ++j) {
    elements[ranks[j]] = x[j];
    room[ranks[j]] = places[j];
  }
  __syncthreads();
  // Neighbours with the same digit go to neighbouring places.
  for (int i = t; i < n; i += kOrderThreads) {
    const T y = elements[i];
    const unsigned digit = digit_of(y);
    const long long at =
        static_cast<long long>(bases[digit]) + (i - static_cast<int>(starts[digit]));
    if constexpr (kLast) {
      WriteSorted(args, row, at - first, y, room[i]);
    } else {
      static_cast<T*>(args.to_values)[at] = y;
      static_cast<unsigned*>(args.to_places)[at] = room[i];
    }
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SORT_H_
