// Softmax and scans: kLanes threads for each line. 1 where neighbouring lines are neighbours in
// memory, 32 where lines are short, else a block. Elements move N side by side; lines that fit
// kPacks times N of each thread's registers are read once, of longer ones (kPacks 0) each pass
// reads anew.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_LINES_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_LINES_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/line_args.h"
#include "switchyard/backends/cuda/device/pointwise.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cuda {

inline constexpr int kLineThreads = 256, kLineWarps = kLineThreads / 32;

// combine(a, b) of all threads of a block, in every one of them. All call it.
template <class V, class F>
SY_FN V BlockAll(V x, F combine) {
  __shared__ V slots[kLineWarps];
  x = WarpAll(x, combine);
  __syncthreads();  // slots may still be read from before
  if (LaneOfWarp() == 0) slots[WarpOfBlock()] = x;
  __syncthreads();
  x = slots[0];
  for (int w = 1; w < kLineWarps; ++w) x = combine(x, slots[w]);
  return x;
}
template <int kLanes, class V, class F>
SY_FN V GroupAll(V x, F combine) {
  if constexpr (kLanes == 1) {
    return x;
  } else if constexpr (kLanes == 32) {
    return WarpAll(x, combine);
  } else {
    return BlockAll(x, combine);
  }
}
template <int kLanes>
SY_FN long long LineOfThread() {
  return kLanes == kLineThreads ? static_cast<long long>(blockIdx.x) : ThreadIndex() / kLanes;
}
template <int kLanes>
SY_FN int Lane() {
  return static_cast<int>(threadIdx.x) % kLanes;
}

// f(i, j) for what a thread holds of a line of n elements: N from element i on, which lie in its
// registers from j on.
template <int kLanes, int N, int kPacks, class F>
SY_FN void ForEachPack(long long n, F f) {
#pragma unroll
  for (int k = 0; k < kPacks; ++k) {
    const long long i = (static_cast<long long>(k) * kLanes + Lane<kLanes>()) * N;
    if (i < n) f(i, k * N);
  }
}

enum class SoftmaxKind {
  kPlain,
  kLog,
  kLogInSteps,  // sum and logarithm are rounded to Out
};
using enum SoftmaxKind;

// What a line is normalised by, of the sum of exponentials.
template <class Out, SoftmaxKind kKind, class V>
SY_FN V SoftmaxDivisor(V sum) {
  if constexpr (kKind == kPlain) {
    return V(static_cast<typename V::Element>(1)) / sum;
  } else if constexpr (kKind == kLog) {
    return log(sum);
  } else {
    return Lift(Lower<Out>(log(Lift(Lower<Out>(sum)))));
  }
}

// The sum of f(i) of the elements of a line that a thread has. Of whole lines in eight parts, in
// the order of the host's vectors.
template <int kLanes, class V, class F>
SY_FN V LineSum(long long n, F f) {
  const V zero(static_cast<typename V::Element>(0));
  if constexpr (kLanes != 1) {
    V sum = zero;
    for (long long i = Lane<kLanes>(); i < n; i += kLanes) sum = sum + f(i);
    return sum;
  } else {
    constexpr int kParts = 8;
    V parts[kParts] = {zero, zero, zero, zero, zero, zero, zero, zero};
    for (long long first = 0; first < n; first += kParts) {
#pragma unroll
      for (int j = 0; j < kParts; ++j) {
        if (first + j < n) parts[j] = parts[j] + f(first + j);
      }
    }
#pragma unroll
    for (int d = kParts / 2; d > 0; d /= 2) {
#pragma unroll
      for (int j = 0; j < d; ++j) parts[j] = parts[j] + parts[j + d];
    }
    return parts[0];
  }
}

// In converts to Out's type first; both compute in float or double.
template <class Out, class In, SoftmaxKind kKind, int kLanes, int N, int kPacks>
SY_FN void Softmax(const LineArgs& args) {
  const long long line = LineOfThread<kLanes>();
  if (line >= args.space.n) return;  // of whole warps, where they work together
  const Offsets<3, UInt64> at(line, args.space);
  using V = decltype(Lift(Out()));
  const V lowest(static_cast<typename V::Element>(-__builtin_inf()));
  const auto larger = [](V a, V b) { return select(b > a, b, a); };
  const auto add = [](V a, V b) { return a + b; };
  if constexpr (kPacks > 0) {
    V x[kPacks * N];
    Pack<In, N> packs[kPacks];
    ForEachPack<kLanes, N, kPacks>(args.n, [&](long long i, int j) {
      packs[j / N] = At<Pack<In, N>>(args.in, at.of[2] + i * args.in_step);
    });
    for (V& e : x) e = lowest;
    ForEachPack<kLanes, N, kPacks>(args.n, [&](long long, int j) {
#pragma unroll
      for (int k = 0; k < N; ++k) x[j + k] = Lift(Convert<Out>(packs[j / N].v[k]));
    });
    V most = lowest, sum(static_cast<typename V::Element>(0));
    for (const V& e : x) most = larger(most, e);
    most = GroupAll<kLanes>(most, larger);
    for (V& e : x) {
      const V shifted = e - most, power = exp(shifted);
      sum = sum + power;
      e = kKind == kPlain ? power : shifted;
    }
    sum = SoftmaxDivisor<Out, kKind>(GroupAll<kLanes>(sum, add));
    ForEachPack<kLanes, N, kPacks>(args.n, [&](long long i, int j) {
      Pack<Out, N> y;
#pragma unroll
      for (int k = 0; k < N; ++k)
        y.v[k] = Lower<Out>(kKind == kPlain ? x[j + k] * sum : x[j + k] - sum);
      At<Pack<Out, N>>(args.out[0], at.of[0] + i * args.out_step[0]) = y;
    });
  } else {
    const auto load = [&](long long i) {
      return Lift(Convert<Out>(At<In>(args.in, at.of[2] + i * args.in_step)));
    };
    V most = lowest;
    for (long long i = Lane<kLanes>(); i < args.n; i += kLanes) most = larger(most, load(i));
    most = GroupAll<kLanes>(most, larger);
    V sum = LineSum<kLanes, V>(args.n, [&](long long i) { return exp(load(i) - most); });
    sum = SoftmaxDivisor<Out, kKind>(GroupAll<kLanes>(sum, add));
    for (long long i = Lane<kLanes>(); i < args.n; i += kLanes) {
      const V x = load(i) - most;
      At<Out>(args.out[0], at.of[0] + i * args.out_step[0]) =
          Lower<Out>(kKind == kPlain ? exp(x) * sum : x - sum);
    }
  }
}

// Of the gradient g of softmax's output y, both of type T: y (g - sum of g y), computed in float or
// double. Operands: out, y (out[1]), g (in).
template <class Out, class T, int kLanes>
SY_FN void SoftmaxBackward(const LineArgs& args) {
  const long long line = LineOfThread<kLanes>();
  const bool real = line < args.space.n;
  const Offsets<3, UInt64> at(real ? line : 0, args.space);
  const long long n = real ? args.n : 0;
  using V = decltype(Lift(T()));
  const auto y = [&](long long i) {
    return Lift(At<T>(args.out[1], at.of[1] + i * args.out_step[1]));
  };
  const auto g = [&](long long i) { return Lift(At<T>(args.in, at.of[2] + i * args.in_step)); };
  V sum(static_cast<typename V::Element>(0));
  for (long long i = Lane<kLanes>(); i < n; i += kLanes) sum = sum + g(i) * y(i);
  sum = GroupAll<kLanes>(sum, [](V a, V b) { return a + b; });
  for (long long i = Lane<kLanes>(); i < n; i += kLanes)
    At<Out>(args.out[0], at.of[0] + i * args.out_step[0]) =
        Convert<Out>(Lower<T>(y(i) * (g(i) - sum)));
}
template <class Out, class T, int kLanes>
SY_FN void LogSoftmaxBackward(const LineArgs& args) {
  const long long line = LineOfThread<kLanes>();
  const bool real = line < args.space.n;
  const Offsets<3, UInt64> at(real ? line : 0, args.space);
  const long long n = real ? args.n : 0;
  using V = decltype(Lift(T()));
  const auto g = [&](long long i) { return Lift(At<T>(args.in, at.of[2] + i * args.in_step)); };
  V sum(static_cast<typename V::Element>(0));
  for (long long i = Lane<kLanes>(); i < n; i += kLanes) sum = sum + g(i);
  sum = GroupAll<kLanes>(sum, [](V a, V b) { return a + b; });
  for (long long i = Lane<kLanes>(); i < n; i += kLanes) {
    const V y = Lift(At<T>(args.out[1], at.of[1] + i * args.out_step[1]));
    At<Out>(args.out[0], at.of[0] + i * args.out_step[0]) =
        Convert<Out>(Lower<T>(g(i) - exp(y) * sum));
  }
}

// --- Scans. A scan states its state W, what an element at i is, how two states combine (the first
// one's elements come before), and what is stored.

// What sums are carried in: float in double, 16-bit floats in float, integers as they are.
template <class T>
struct WideOf {
  using Type = decltype(Lift(T()));
};
template <>
struct WideOf<float> {
  using Type = Num<double>;
};
template <>
struct WideOf<Pair<float>> {
  using Type = Complex<Num<double>>;
};
template <class T>
SY_FN typename WideOf<T>::Type LiftWide(T x) {
  if constexpr (kSameType<T, float>) {
    return static_cast<double>(x);
  } else if constexpr (kSameType<T, Pair<float>>) {
    return {static_cast<double>(x.re), static_cast<double>(x.im)};
  } else {
    return Lift(x);
  }
}
template <class T>
SY_FN T LowerWide(typename WideOf<T>::Type x) {
  if constexpr (kSameType<T, float>) {
    return static_cast<float>(x.v);
  } else if constexpr (kSameType<T, Pair<float>>) {
    return {static_cast<float>(x.re.v), static_cast<float>(x.im.v)};
  } else {
    return Lower<T>(x);
  }
}

template <class T, class F>
struct Cumulative {
  using W = typename WideOf<T>::Type;
  static SY_FN W Of(T x, long long) { return LiftWide(x); }
  static SY_FN W Combine(W a, W b) { return F()(a, b); }
  template <int N>
  static SY_FN void Store(const LineArgs& args, const UInt64* at, long long i, const W (&w)[N]) {
    Pack<T, N> y;
    for (int k = 0; k < N; ++k) y.v[k] = LowerWide<T>(w[k]);
    At<Pack<T, N>>(args.out[0], at[0] + i * args.out_step[0]) = y;
  }
};

template <class T>
struct LogOfSum {
  using W = decltype(Lift(T()));
  static SY_FN W Of(T x, long long) { return Lift(x); }
  static SY_FN W Combine(W a, W b) { return f::LogAddExp()(b, a); }
  template <int N>
  static SY_FN void Store(const LineArgs& args, const UInt64* at, long long i, const W (&w)[N]) {
    Pack<T, N> y;
    for (int k = 0; k < N; ++k) y.v[k] = Lower<T>(w[k]);
    At<Pack<T, N>>(args.out[0], at[0] + i * args.out_step[0]) = y;
  }
};

// The last of equal ones; NaN from where it first occurs.
template <class T, bool kLeast>
struct RunningExtreme {
  using V = decltype(Lift(T()));
  struct W {
    V value;
    long long at;
  };
  static SY_FN W Of(T x, long long i) { return {Lift(x), i}; }
  static SY_FN W Combine(W a, W b) {
    const bool better = kLeast ? b.value <= a.value : b.value >= a.value;
    return isnan(b.value) || (!isnan(a.value) && better) ? b : a;
  }
  template <int N>
  static SY_FN void Store(const LineArgs& args, const UInt64* at, long long i, const W (&w)[N]) {
    Pack<T, N> values;
    Pack<Int64, N> places;
    for (int k = 0; k < N; ++k) {
      values.v[k] = Lower<T>(w[k].value);
      places.v[k] = w[k].at;
    }
    At<Pack<T, N>>(args.out[0], at[0] + i * args.out_step[0]) = values;
    At<Pack<Int64, N>>(args.out[1], at[1] + i * args.out_step[1]) = places;
  }
};

// A tile of a line: kPacks runs of neighbours to a thread, runs of a kind thread after thread.
template <class S, int kPacks>
struct TileSums {
  using W = typename S::W;
  W before[kPacks];  // of all before the thread's runs in the tile, where HasBefore
  W all;             // of the whole tile

  // runs: the thread's, each combined; at the tile's end they may be missing.
  SY_FN explicit TileSums(const W (&runs)[kPacks]) {
    static_assert(kPacks * kLineWarps <= 32);
    __shared__ W totals[kPacks * kLineWarps];
    const int lane = LaneOfWarp(), warp = WarpOfBlock();
    W up_to[kPacks];
#pragma unroll
    for (int k = 0; k < kPacks; ++k) up_to[k] = WarpUpTo(runs[k]);
    __syncthreads();  // totals may still be read from before
    if (lane == 31) {
#pragma unroll
      for (int k = 0; k < kPacks; ++k) totals[k * kLineWarps + warp] = up_to[k];
    }
    __syncthreads();
    const W sums = WarpUpTo(totals[lane < kPacks * kLineWarps ? lane : 0]);
    all = FromLane(sums, kPacks * kLineWarps - 1);
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int group = k * kLineWarps + warp;
      const W groups = FromLane(sums, group == 0 ? 0 : group - 1);
      const W lanes = FromLane(up_to[k], lane == 0 ? 0 : lane - 1);
      before[k] = lane == 0 ? groups : group == 0 ? lanes : S::Combine(groups, lanes);
    }
  }
  SY_FN static bool HasBefore(int k) { return k != 0 || threadIdx.x != 0; }

 private:
  SY_FN static W WarpUpTo(W x) {
    const int lane = LaneOfWarp();
    for (int d = 1; d < 32; d *= 2) {
      const W other = FromLane(x, lane < d ? lane : lane - d);
      if (lane >= d) x = S::Combine(other, x);
    }
    return x;
  }
};

// T: elements in memory, converted to S's. A line is scanned tile by tile; where there are few
// lines, each is cut into chunks of whole tiles, whose sums (kTotals) come first.
template <class S, class In, class T, bool kTotals, int kLanes, int N, int kPacks>
SY_FN void Scan(const ScanLineArgs& args) {
  using W = typename S::W;
  if constexpr (kLanes == 1) {
    const long long line = ThreadIndex();
    if (line >= args.space.n) return;
    const Offsets<3, UInt64> at(line, args.space);
    W w[1] = {};
    for (long long i = 0; i < args.n; ++i) {
      const W x = S::Of(Convert<T>(At<In>(args.in, at.of[2] + i * args.in_step)), i);
      w[0] = i == 0 ? x : S::Combine(w[0], x);
      S::template Store<1>(args, at.of, i, w);
    }
  } else {
    constexpr long long kTile = kLineThreads * N * kPacks;
    const long long line = blockIdx.x, chunk = blockIdx.y;
    const Offsets<3, UInt64> at(line, args.space);
    W* const totals = static_cast<W*>(args.totals) + line * gridDim.y;
    const long long begin = chunk * args.chunk;
    const long long end = begin + args.chunk < args.n ? begin + args.chunk : args.n;
    bool carries = false;
    W carried{};
    if (!kTotals && chunk != 0) {  // at most kLineThreads chunks
      W x[1] = {};
      if (threadIdx.x < chunk) x[0] = totals[threadIdx.x];
      const TileSums<S, 1> sums(x);
      __shared__ W last;
      if (threadIdx.x + 1 == chunk) last = chunk == 1 ? x[0] : S::Combine(sums.before[0], x[0]);
      __syncthreads();
      carried = last;
      carries = true;
    }
    for (long long first = begin; first < end; first += kTile) {
      Pack<In, N> packs[kPacks];
      W runs[kPacks] = {};
      ForEachPack<kLanes, N, kPacks>(end - first, [&](long long i, int j) {
        packs[j / N] = At<Pack<In, N>>(args.in, at.of[2] + (first + i) * args.in_step);
      });
      const auto element = [&](long long i, int j, int k) {
        return S::Of(Convert<T>(packs[j / N].v[k]), first + i + k);
      };
      ForEachPack<kLanes, N, kPacks>(end - first, [&](long long i, int j) {
        W run = element(i, j, 0);
#pragma unroll
        for (int k = 1; k < N; ++k) run = S::Combine(run, element(i, j, k));
        runs[j / N] = run;
      });
      const TileSums<S, kPacks> sums(runs);
      if constexpr (!kTotals) {
        ForEachPack<kLanes, N, kPacks>(end - first, [&](long long i, int j) {
          const bool has_before = TileSums<S, kPacks>::HasBefore(j / N);
          W w = sums.before[j / N];
          if (carries) w = has_before ? S::Combine(carried, w) : carried;
          W y[N];
#pragma unroll
          for (int k = 0; k < N; ++k) {
            const W x = element(i, j, k);
            w = y[k] = k == 0 && !carries && !has_before ? x : S::Combine(w, x);
          }
          S::template Store<N>(args, at.of, first + i, y);
        });
      }
      // Where a tile is not whole the line ends, and what is carried is not asked for.
      carried = carries ? S::Combine(carried, sums.all) : sums.all;
      carries = true;
    }
    if (kTotals && threadIdx.x == 0) totals[chunk] = carried;
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_LINES_H_
