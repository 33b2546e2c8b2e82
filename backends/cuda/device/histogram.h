// Numbers counted in bins. Each step of computing a bin is rounded to the numbers' dtype, as the
// host's are. Source: ATen/native/cpu/HistogramKernel.cpp.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_HISTOGRAM_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_HISTOGRAM_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/search.h"

namespace sy::cuda {

inline constexpr int kCountItems = 16;    // of a thread
inline constexpr int kSharedBins = 2048;  // counted in shared memory first

// args.bins where x is in none.
template <class T>
SY_FN long long BinOf(const HistogramArgs& args, T given) {
  const double x = static_cast<double>(Lift(given).v);
  const double* const edges = args.edges;
  const long long bins = args.bins;
  if (!(x >= edges[0] && x <= edges[bins])) return bins;
  long long first = 0, last = bins + 1;
  if (args.search != BinSearch::kBinary) {
    using V = decltype(Lift(T()));
    const auto round = [](V v) { return Lift(Lower<T>(v)); };
    const auto number = [&](double v) { return round(V(static_cast<typename V::Element>(v))); };
    const V low = number(edges[0]), width = round(number(edges[bins]) - low);
    const V scaled = round(round(Lift(given) - low) * number(static_cast<double>(bins)));
    const auto position = round(scaled / width).v;
    if (position - position == 0) {  // T may not hold what it takes: then the edges alone count
      const long long guess = static_cast<long long>(position);
      if (args.search == BinSearch::kLinear) return guess < bins ? guess : bins - 1;
      first = guess > 0 ? guess - 1 : 0;
      last = guess + 2 < bins + 1 ? guess + 2 : bins + 1;
    }
  }
  const long long at =
      first + CountBefore(last - first, [&](long long k) { return edges[first + k] <= x; }) - 1;
  return at < bins ? at : bins - 1;
}

// f(bin) -> counted in shared memory where bins are few.
template <class F>
SY_FN void CountInBlock(long long bins, long long n, UInt64* counts, F bin_of) {
  __shared__ unsigned own[kSharedBins];
  const bool shared = bins <= kSharedBins;
  const int t = static_cast<int>(threadIdx.x);
  if (shared) {
    for (long long b = t; b < bins; b += kOrderThreads) own[b] = 0;
  }
  __syncthreads();
  const long long first = static_cast<long long>(blockIdx.x) * (kOrderThreads * kCountItems) + t;
  for (int k = 0; k < kCountItems; ++k) {
    const long long i = first + k * kOrderThreads;
    if (i >= n) break;
    const long long bin = bin_of(i);
    if (bin < 0 || bin >= bins) continue;
    if (shared) {
      atomicAdd(&own[bin], 1u);
    } else {
      atomicAdd(&counts[bin], UInt64(1));
    }
  }
  __syncthreads();
  if (!shared) return;
  for (long long b = t; b < bins; b += kOrderThreads) {
    if (own[b] != 0) atomicAdd(&counts[b], static_cast<UInt64>(own[b]));
  }
}
template <class T>
SY_FN void CountBins(const HistogramArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  CountInBlock(args.bins, args.n, args.counts, [&](long long i) { return BinOf(args, x[i]); });
}
// Integers are their own bins.
template <class T>
SY_FN void CountNumbers(const HistogramArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  CountInBlock(args.bins, args.n, args.counts,
               [&](long long i) { return static_cast<long long>(x[i]); });
}
// A point's bins, coordinate by coordinate, as one number.
template <class T>
SY_FN void KeysOfBins(const HistogramArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.n) return;
  unsigned& key = static_cast<unsigned*>(args.keys)[i];
  const auto end = static_cast<unsigned>(args.end);
  if (!args.first && key == end) return;
  const long long bin = BinOf(args, static_cast<const T*>(args.x)[i * args.stride]);
  const unsigned before = args.first ? 0 : key * static_cast<unsigned>(args.bins);
  key = bin == args.bins ? end : before + static_cast<unsigned>(bin);
}

// One block.
template <class T>
SY_FN void ToDensity(const DensityArgs& args) {
  double sum = 0, all;
  for (long long b = threadIdx.x; b < args.bins; b += kOrderThreads) sum += args.histogram[b];
  BlockSumBefore<kOrderThreads>(sum, all);
  for (long long b = threadIdx.x; b < args.bins; b += kOrderThreads)
    args.histogram[b] = args.histogram[b] / all / (args.edges[b + 1] - args.edges[b]);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_HISTOGRAM_H_
