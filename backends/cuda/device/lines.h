// Softmax and scans: kLanes threads for each line. 1 where neighbouring lines are neighbours in
// memory, 32 where lines are short, else a block of 256 to 1024. Elements move N side by side;
// lines that fit kPacks times N of each thread's registers are read once, of longer ones (kPacks 0)
// each pass reads anew.
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
template <int kThreads = kLineThreads, class V, class F>
SY_FN V BlockAll(V x, F combine) {
  constexpr int kWarps = kThreads / 32;
  __shared__ V slots[kWarps];
  x = WarpAll(x, combine);
  __syncthreads();  // slots may still be read from before
  if (LaneOfWarp() == 0) slots[WarpOfBlock()] = x;
  __syncthreads();
  x = slots[0];
  for (int w = 1; w < kWarps; ++w) x = combine(x, slots[w]);
  return x;
}
template <int kLanes, class V, class F>
SY_FN V GroupAll(V x, F combine) {
  if constexpr (kLanes == 1) {
    return x;
  } else if constexpr (kLanes == 32) {
    return WarpAll(x, combine);
  } else {
    return BlockAll<kLanes>(x, combine);
  }
}
template <int kLanes>
SY_FN long long LineOfThread() {
  return kLanes > 32 ? static_cast<long long>(blockIdx.x) : ThreadIndex() / kLanes;
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
    // What is between a thread's packs is known, and all of them are below 2^31: one address, and
    // distances that instructions hold.
    const int i = Lane<kLanes>() * N + k * kLanes * N;
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

// f(i) for packs of N elements from i on that a thread has of a line of n, whatever its length.
template <int kLanes, int N, class F>
SY_FN void ForEachPackOf(long long n, F f) {
  for (long long i = static_cast<long long>(Lane<kLanes>()) * N; i < n; i += kLanes * N) f(i);
}

// The sum of value(x) of the elements of a line that a thread has; load(i): a pack of N. Of whole
// lines in eight parts, in the order of the host's vectors.
template <int kLanes, int N, class V, class L, class F>
SY_FN V LineSum(long long n, L load, F value) {
  const V zero(static_cast<typename V::Element>(0));
  const auto f = [&](long long i) { return value(load(i).v[0]); };
  if constexpr (kLanes != 1) {
    V sum = zero;
    ForEachPackOf<kLanes, N>(n, [&](long long i) {
      const auto pack = load(i);
#pragma unroll
      for (int k = 0; k < N; ++k) sum = sum + value(pack.v[k]);
    });
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
  const char* const in = static_cast<const char*>(args.in) + at.of[2];
  char* const out = static_cast<char*>(args.out[0]) + at.of[0];
  // Packs lie side by side.
  const long long in_step = N > 1 ? static_cast<long long>(sizeof(In)) : args.in_step;
  const long long out_step = N > 1 ? static_cast<long long>(sizeof(Out)) : args.out_step[0];
  const V lowest(static_cast<typename V::Element>(-__builtin_inf()));
  const auto larger = [](V a, V b) { return select(b > a, b, a); };
  const auto add = [](V a, V b) { return a + b; };
  if constexpr (kPacks > 0) {
    V x[kPacks * N];
    Pack<In, N> packs[kPacks];
    ForEachPack<kLanes, N, kPacks>(
        args.n, [&](int i, int j) { packs[j / N] = At<Pack<In, N>>(in, i * in_step); });
#pragma unroll
    for (V& e : x) e = lowest;
    ForEachPack<kLanes, N, kPacks>(args.n, [&](long long, int j) {
#pragma unroll
      for (int k = 0; k < N; ++k) x[j + k] = Lift(Convert<Out>(packs[j / N].v[k]));
    });
    V most = lowest, sum(static_cast<typename V::Element>(0));
#pragma unroll
    for (const V& e : x) most = larger(most, e);
    most = GroupAll<kLanes>(most, larger);
#pragma unroll
    for (V& e : x) {
      const V shifted = e - most, power = exp(shifted);
      sum = sum + power;
      e = kKind == kPlain ? power : shifted;
    }
    sum = SoftmaxDivisor<Out, kKind>(GroupAll<kLanes>(sum, add));
    ForEachPack<kLanes, N, kPacks>(args.n, [&](int i, int j) {
      Pack<Out, N> y;
#pragma unroll
      for (int k = 0; k < N; ++k)
        y.v[k] = Lower<Out>(kKind == kPlain ? x[j + k] * sum : x[j + k] - sum);
      At<Pack<Out, N>>(out, i * out_step) = y;
    });
  } else {
    const auto load = [&](long long i) { return At<Pack<In, N>>(in, i * in_step); };
    const auto value = [](In x) { return Lift(Convert<Out>(x)); };
    V most = lowest;
    ForEachPackOf<kLanes, N>(args.n, [&](long long i) {
      const Pack<In, N> pack = load(i);
#pragma unroll
      for (int k = 0; k < N; ++k) most = larger(most, value(pack.v[k]));
    });
    most = GroupAll<kLanes>(most, larger);
    V sum = LineSum<kLanes, N, V>(args.n, load, [&](In x) { return exp(value(x) - most); });
    sum = SoftmaxDivisor<Out, kKind>(GroupAll<kLanes>(sum, add));
    ForEachPackOf<kLanes, N>(args.n, [&](long long i) {
      const Pack<In, N> pack = load(i);
      Pack<Out, N> y;
#pragma unroll
      for (int k = 0; k < N; ++k) {
        const V x = value(pack.v[k]) - most;
        y.v[k] = Lower<Out>(kKind == kPlain ? exp(x) * sum : x - sum);
      }
      At<Pack<Out, N>>(out, i * out_step) = y;
    });
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
  using Value = T;
  static constexpr bool kPlaces = false;
  static SY_FN W Of(T x, long long) { return LiftWide(x); }
  static SY_FN W Combine(W a, W b) { return F()(a, b); }
  static SY_FN T ValueOf(const W& w) { return LowerWide<T>(w); }
};

template <class T>
struct LogOfSum {
  using W = decltype(Lift(T()));
  using Value = T;
  static constexpr bool kPlaces = false;
  static SY_FN W Of(T x, long long) { return Lift(x); }
  static SY_FN W Combine(W a, W b) { return f::LogAddExp()(b, a); }
  static SY_FN T ValueOf(const W& w) { return Lower<T>(w); }
};

// The last of equal ones; NaN from where it first occurs.
template <class T, bool kLeast>
struct RunningExtreme {
  using V = decltype(Lift(T()));
  struct W {
    V value;
    long long at;
  };
  using Value = T;
  static constexpr bool kPlaces = true;
  static SY_FN W Of(T x, long long i) { return {Lift(x), i}; }
  static SY_FN W Combine(W a, W b) {
    const bool better = kLeast ? b.value <= a.value : b.value >= a.value;
    return isnan(b.value) || (!isnan(a.value) && better) ? b : a;
  }
  static SY_FN T ValueOf(const W& w) { return Lower<T>(w.value); }
  static SY_FN Int64 PlaceOf(const W& w) { return w.at; }
};

// The sums of what lies before each thread's part of a block's work, threads in order. By CUB where
// device/cub_lines.h says so.
template <class S>
struct BlockSums {
  using W = typename S::W;
  W before;  // of the threads before this one, but for thread 0
  W all;     // of the whole block

#if defined(SY_CUB_SCAN)
  SY_FN explicit BlockSums(const W& mine) {
    using Scan = ::cub::BlockScan<W, kLineThreads, ::cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename Scan::TempStorage room;
    __syncthreads();  // the room may still be read from before
    Scan(room).ExclusiveScan(mine, before, Combine(), all);
  }

 private:
  struct Combine {
    SY_FN W operator()(const W& a, const W& b) const { return S::Combine(a, b); }
  };
#else
  // mine: the sum of what the thread has; those of the last threads may be missing.
  SY_FN explicit BlockSums(const W& mine) {
    __shared__ W totals[kLineWarps];
    const int lane = LaneOfWarp(), warp = WarpOfBlock();
    const W up_to = WarpUpTo<32>(mine);
    __syncthreads();  // totals may still be read from before
    if (lane == 31) totals[warp] = up_to;
    __syncthreads();
    const W sums = WarpUpTo<kLineWarps>(totals[lane % kLineWarps]);
    all = FromLane(sums, kLineWarps - 1);
    const W warps = FromLane(sums, warp == 0 ? 0 : warp - 1);
    const W lanes = FromLane(up_to, lane == 0 ? 0 : lane - 1);
    before = lane == 0 ? warps : warp == 0 ? lanes : S::Combine(warps, lanes);
  }

 private:
  // Of kCount lanes.
  template <int kCount>
  SY_FN static W WarpUpTo(W x) {
    const int lane = LaneOfWarp();
#pragma unroll
    for (int d = 1; d < kCount; d *= 2) {
      const W other = FromLane(x, lane < d ? lane : lane - d);
      if (lane >= d) x = S::Combine(other, x);
    }
    return x;
  }
#endif
};

// A tile of a line, kPacks packs a thread. Memory is read and written with neighbouring packs in
// neighbouring threads; sums are made with neighbouring packs in one. Between the two they go
// through a block's shared memory, in an order in which eight threads that move 16 bytes at once
// never meet in a bank.
struct alignas(64) TileUnit {  // as the largest pack
  unsigned words[16];
};
template <class T, int N, int kPacks>
struct TilePacks {
  Pack<T, N> v[kPacks];

  // Packs that lie side by side become the thread's own, and back. All of a block call it.
  SY_FN void ToRuns(TileUnit* room) { Exchange<true>(room); }
  SY_FN void FromRuns(TileUnit* room) { Exchange<false>(room); }

 private:
  template <bool kToRuns>
  SY_FN void Exchange(TileUnit* room) {
    if constexpr (kPacks > 1) {
      Pack<T, N>* const packs = reinterpret_cast<Pack<T, N>*>(room);
      const int thread = static_cast<int>(threadIdx.x);
      __syncthreads();  // the room may still be read from before
#pragma unroll
      for (int k = 0; k < kPacks; ++k)
        packs[Place(kToRuns ? k * kLineThreads + thread : thread * kPacks + k)] = v[k];
      __syncthreads();
#pragma unroll
      for (int k = 0; k < kPacks; ++k)
        v[k] = packs[Place(kToRuns ? thread * kPacks + k : k * kLineThreads + thread)];
    }
  }
  SY_FN static int Place(int pack) { return pack ^ (pack >> 3 & (kPacks - 1)); }
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
    W w{};
    for (long long i = 0; i < args.n; ++i) {
      const W x = S::Of(Convert<T>(At<In>(args.in, at.of[2] + i * args.in_step)), i);
      w = i == 0 ? x : S::Combine(w, x);
      At<typename S::Value>(args.out[0], at.of[0] + i * args.out_step[0]) = S::ValueOf(w);
      if constexpr (S::kPlaces)
        At<Int64>(args.out[1], at.of[1] + i * args.out_step[1]) = S::PlaceOf(w);
    }
  } else {
    constexpr int kRun = N * kPacks;
    constexpr long long kTile = kLineThreads * kRun;
    constexpr int kBytes = S::kPlaces || sizeof(typename S::Value) > sizeof(In)
                               ? (S::kPlaces ? 8 : static_cast<int>(sizeof(typename S::Value)))
                               : static_cast<int>(sizeof(In));
    constexpr int kUnits = kPacks == 1 ? 1 : static_cast<int>(kTile) * kBytes / 64;
    __shared__ TileUnit room[kUnits];
    const long long line = blockIdx.x, chunk = blockIdx.y;
    const Offsets<3, UInt64> at(line, args.space);
    W* const totals = static_cast<W*>(args.totals) + line * gridDim.y;
    const long long begin = chunk * args.chunk;
    const long long end = begin + args.chunk < args.n ? begin + args.chunk : args.n;
    bool carries = false;
    W carried{};
    if (!kTotals && chunk != 0) {  // at most kLineThreads chunks
      W x{};
      if (threadIdx.x < chunk) x = totals[threadIdx.x];
      const BlockSums<S> sums(x);
      __shared__ W last;
      if (threadIdx.x + 1 == chunk) last = chunk == 1 ? x : S::Combine(sums.before, x);
      __syncthreads();
      carried = last;
      carries = true;
    }
    for (long long first = begin; first < end; first += kTile) {
      const int n = end - first < kTile ? static_cast<int>(end - first) : static_cast<int>(kTile);
      const char* const in = static_cast<const char*>(args.in) + at.of[2] + first * args.in_step;
      TilePacks<In, N, kPacks> x;
      ForEachPack<kLanes, N, kPacks>(
          n, [&](int i, int j) { x.v[j / N] = At<Pack<In, N>>(in, i * args.in_step); });
      x.ToRuns(room);
      const int own = static_cast<int>(threadIdx.x) * kRun;  // where the thread's run begins
      const auto element = [&](int k) {
        return S::Of(Convert<T>(x.v[k / N].v[k % N]), first + own + k);
      };
      W sum = element(0);
      // What is missing at the line's end is nothing in particular, and comes after all there is.
#pragma unroll
      for (int k = 1; k < kRun; ++k) sum = S::Combine(sum, element(k));
      const BlockSums<S> sums(sum);
      if constexpr (!kTotals) {
        bool has_before = threadIdx.x != 0;
        W w = sums.before;
        if (carries) w = has_before ? S::Combine(carried, w) : carried;
        has_before |= carries;
        TilePacks<typename S::Value, N, kPacks> y;
        TilePacks<Int64, S::kPlaces ? N : 1, S::kPlaces ? kPacks : 1> places;
#pragma unroll
        for (int k = 0; k < kRun; ++k) {
          w = k != 0 || has_before ? S::Combine(w, element(k)) : element(k);
          y.v[k / N].v[k % N] = S::ValueOf(w);
          if constexpr (S::kPlaces) places.v[k / N].v[k % N] = S::PlaceOf(w);
        }
        const auto store = [&](auto& packs, int which) {
          packs.FromRuns(room);
          char* const out =
              static_cast<char*>(args.out[which]) + at.of[which] + first * args.out_step[which];
          ForEachPack<kLanes, N, kPacks>(n, [&](int i, int j) {
            auto pack = packs.v[j / N];
            using Packed = decltype(pack);
            At<Packed>(out, i * args.out_step[which]) = pack;
          });
        };
        store(y, 0);
        if constexpr (S::kPlaces) store(places, 1);
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
