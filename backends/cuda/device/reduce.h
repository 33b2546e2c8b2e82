// Reductions: kLanes threads for each output go over its elements in turn, then combine their
// states through shared memory. Where that leaves the device idle, each output's elements are cut
// into chunks, whose states the block combines that is the last to be done, or a second kernel, in
// the same order. What is computed depends on the shapes alone.
//
//   Reduce<f::Sum, NoFinish, Operand<0, kStrided, float>, float, float, 256, 4, unsigned>(args)
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_REDUCE_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_REDUCE_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/pointwise.h"
#include "switchyard/ops/formulas/reduce.h"

namespace sy::f {

// The exclusive or of the elements' bits: of integers, or of doubles.
struct XorOfBits {
  static constexpr StateKind kState = StateKind::kValue;
  static constexpr int kEmpty = 0;
  using State = Num<unsigned long long>;
  template <class T>
  SY_FN State First(Num<T> x, Step) const {
    return cuda::BitCast<unsigned long long>(x.v);
  }
  template <class T>
  SY_FN State Add(State s, Num<T> x, Step step) const {
    return s ^ First(x, step);
  }
  SY_FN State Combine(State a, State b, double, double) const { return a ^ b; }
};

}  // namespace sy::f

namespace sy::cuda {

inline constexpr int kReduceThreads = 256;
inline constexpr int kAhead = 4;  // elements that a thread has on their way at a time

// An element as the reduction sees it.
template <class Red, class In>
SY_FN auto ReducedElement(typename In::Memory x) {
  if constexpr (Red::kState == f::StateKind::kMoments) {
    return Num<double>(static_cast<double>(Lift(In::Read(x)).v));
  } else {
    return Lift(In::Read(x));
  }
}

// A state of `n` elements.
template <class Red, class V>
struct Accumulated {
  static SY_FN auto FirstOf(V x, long long at) {
    const f::Step step{static_cast<long>(at), 1};
    if constexpr (Red::kState == f::StateKind::kLocated) {
      return Red().template First<Num<Int64>>(x, step);
    } else {
      return Red().First(x, step);
    }
  }
  using State = decltype(FirstOf(V(), 0));
  State state;
  long long n;

  SY_FN void Add(V x, long long at) {
    state = n == 0 ? FirstOf(x, at)
                   : Red().Add(state, x, f::Step{static_cast<long>(at), static_cast<long>(n + 1)});
    ++n;
  }
  // The same where it is known whether it is the first one; count: how many there are then.
  SY_FN void AddAs(bool first, V x, long long at, long long count) {
    state = first ? FirstOf(x, at)
                  : Red().Add(state, x, f::Step{static_cast<long>(at), static_cast<long>(count)});
  }
  SY_FN void Merge(const Accumulated& other) {
    if (other.n == 0) return;
    state = n == 0 ? other.state
                   : Red().Combine(state, other.state, static_cast<double>(n),
                                   static_cast<double>(other.n));
    n += other.n;
  }
};

// --- What becomes of a state of all elements.
struct NoFinish {
  template <class V>
  static SY_FN V Of(V x, long long, double) {
    return x;
  }
};
struct Mean {
  template <class T>
  static SY_FN Num<T> Of(Num<T> x, long long n, double) {
    return x.v / static_cast<T>(n);
  }
  template <class V>
  static SY_FN Complex<V> Of(Complex<V> x, long long n, double) {
    return {Of(x.re, n, 0), Of(x.im, n, 0)};
  }
};
struct SquareRoot {
  template <class V>
  static SY_FN V Of(V x, long long, double) {
    return sqrt(x);
  }
};
struct Root {
  template <class T>
  static SY_FN Num<T> Of(Num<T> x, long long, double p) {
    return pow(x, Num<T>(static_cast<T>(1 / p)));
  }
};
// Of moments: their spread, and the mean as it is. parameter: what is taken from the count.
struct Variance {
  static SY_FN double Of(double squares, long long n, double correction) {
    const double rest = static_cast<double>(n) - correction;
    return squares / (n > 0 && rest > 0 ? rest : 0.0);
  }
};
struct Deviation {
  static SY_FN double Of(double squares, long long n, double correction) {
    return ::sqrt(Variance::Of(squares, n, correction));
  }
};

template <class To, class T>
SY_FN To FromNumber(Num<T> x) {
  return Convert<To>(x.v);
}
template <class To, class T>
SY_FN To FromNumber(Complex<Num<T>> x) {
  return Convert<To>(Pair<T>{x.re.v, x.im.v});
}

// Value, or spread, to out0; position, or mean, to out1. Null: not asked for.
template <class Red, class Finish, class Out0, class Out1, class A>
SY_FN void WriteResult(const ReduceArgs& args, A a, long long offset0, long long offset1) {
  void* const out0 = args.out[0];
  void* const out1 = args.out[1];
  if constexpr (Red::kState == f::StateKind::kLocated) {
    if (out0 != nullptr) At<Out0>(out0, offset0) = FromNumber<Out0>(a.state.value);
    if (out1 != nullptr) At<Out1>(out1, offset1) = FromNumber<Out1>(a.state.at);
  } else if constexpr (Red::kState == f::StateKind::kMoments) {
    const double nan = __builtin_nan("");
    const double squares = a.n == 0 ? 0.0 : a.state.squares.v;
    if (out0 != nullptr)
      At<Out0>(out0, offset0) = Convert<Out0>(Finish::Of(squares, a.n, args.parameter));
    if (out1 != nullptr) At<Out1>(out1, offset1) = Convert<Out1>(a.n == 0 ? nan : a.state.mean.v);
  } else {
    using State = decltype(a.state);
    if (a.n == 0) {
      if constexpr (requires { typename State::Real; }) {
        a.state = State(static_cast<double>(Red::kEmpty));
      } else {
        a.state = State(static_cast<typename State::Element>(Red::kEmpty));
      }
    }
    At<Out0>(out0, offset0) = FromNumber<Out0>(Finish::Of(a.state, a.n, args.parameter));
  }
}

// The states of each group of kLanes threads into that of its first thread. All call it.
template <int kLanes, class A>
SY_FN A CombineLanes(A a) {
  static_assert(kLanes == 1 || kLanes == 32 || kLanes == kReduceThreads);
  if constexpr (kLanes > 1) {
    for (int d = 16; d > 0; d /= 2) {
      const A other = FromLane(a, LaneOfWarp() + d < 32 ? LaneOfWarp() + d : LaneOfWarp());
      if (LaneOfWarp() < d) a.Merge(other);
    }
  }
  if constexpr (kLanes == kReduceThreads) {
    __shared__ A slots[kReduceThreads / 32];
    if (LaneOfWarp() == 0) slots[WarpOfBlock()] = a;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < kReduceThreads / 32; ++w) a.Merge(slots[w]);
    }
  }
  return a;
}

// What a thread finds of elements begin to end that lie along one dimension, N of them side by
// side, at `line`.
template <class Red, class In, int kLanes, int N, class A>
SY_FN void ReduceAlong(const ReduceArgs& args, long long line, long long begin, long long end,
                       A (&all)[kAhead]) {
  using T = typename In::Memory;
  const long long step = args.reduced.strides[0][0], place = args.reduced.strides[1][0];
  constexpr long long kWidth = static_cast<long long>(kLanes) * N;
  const auto load = [&](long long i) { return At<Pack<T, N>>(args.in, line + i * step); };
  const auto element = [](T x) { return ReducedElement<Red, In>(x); };
  long long i = begin + static_cast<int>(threadIdx.x) % kLanes * N, rounds = 0;
  for (; i + (kAhead - 1) * kWidth < end; i += kAhead * kWidth) {
    Pack<T, N> packs[kAhead];
#pragma unroll
    for (int k = 0; k < kAhead; ++k) packs[k] = load(i + k * kWidth);
#pragma unroll
    for (int j = 0; j < N; ++j) {
      const bool first = j == 0 && rounds == 0;
      ++rounds;
#pragma unroll
      for (int k = 0; k < kAhead; ++k) {
        all[k].AddAs(first, element(packs[k].v[j]), (i + k * kWidth + j) * place, rounds);
      }
    }
  }
  for (int k = 0; k < kAhead; ++k) all[k].n = rounds;
  for (; i < end; i += kWidth) {
    const Pack<T, N> pack = load(i);
#pragma unroll
    for (int j = 0; j < N; ++j) all[j % kAhead].Add(element(pack.v[j]), (i + j) * place);
  }
}

// The states of an output's chunks, in its first thread. All of a block's threads call it.
template <int kLanes, class A>
SY_FN A CombineStates(const ReduceArgs& args, long long output, bool real) {
  A a;
  a.n = 0;
  if (real) {
    const A* states = static_cast<const A*>(args.states) + output * args.chunks;
    for (long long i = static_cast<int>(threadIdx.x) % kLanes; i < args.chunks; i += kLanes)
      a.Merge(states[i]);
  }
  return CombineLanes<kLanes>(a);
}

// In: the elements' dtypes; Out0, Out1: those of the outputs in memory. N: elements side by side
// where what is reduced lies along one dimension, of which chunks have multiples; 0: it does not.
template <class Red, class Finish, class In, class Out0, class Out1, int kLanes, int N, class Index>
SY_FN void Reduce(const ReduceArgs& args) {
  using T = typename In::Memory;
  using A = Accumulated<Red, decltype(ReducedElement<Red, In>(T()))>;
  const long long output = ThreadIndex() / kLanes;
  const bool real = output < args.kept.n;
  const Offsets<3, Index> at(real ? output : 0, args.kept);
  const long long begin = blockIdx.y * args.chunk;
  const long long end = begin + args.chunk < args.reduced.n ? begin + args.chunk : args.reduced.n;
  A all[kAhead];
  for (int k = 0; k < kAhead; ++k) all[k].n = 0;
  if constexpr (N > 0) {
    if (real)
      ReduceAlong<Red, In, kLanes, N>(args, static_cast<long long>(at.of[0]), begin, end, all);
  } else if (real) {
    const auto add = [&](A& a, long long i) {
      const Offsets<2, Index> element(i, args.reduced);
      const long long offset = static_cast<long long>(at.of[0]) + element.of[0];
      a.Add(ReducedElement<Red, In>(At<T>(args.in, offset)), element.of[1]);
    };
    long long i = begin + static_cast<int>(threadIdx.x) % kLanes;
    for (; i + (kAhead - 1) * kLanes < end; i += kAhead * kLanes) {
#pragma unroll
      for (int k = 0; k < kAhead; ++k) add(all[k], i + k * kLanes);
    }
    for (; i < end; i += kLanes) add(all[0], i);
  }
  for (int k = 1; k < kAhead; ++k) all[0].Merge(all[k]);
  A a = CombineLanes<kLanes>(all[0]);
  const bool leads = real && threadIdx.x % kLanes == 0;
  if (args.states != nullptr) {
    if (leads) static_cast<A*>(args.states)[output * args.chunks + blockIdx.y] = a;
    if constexpr (kLanes < kReduceThreads) {
      return;
    } else {
      if (args.counters == nullptr || !IsLastBlock(args.counters + blockIdx.x)) return;
      a = CombineStates<kLanes, A>(args, output, real);
    }
  }
  if (leads) WriteResult<Red, Finish, Out0, Out1>(args, a, at.of[1], at.of[2]);
}

// The states that Reduce has left.
template <class Red, class Finish, class In, class Out0, class Out1, int kLanes, class Index>
SY_FN void ReduceStates(const ReduceArgs& args) {
  using A = Accumulated<Red, decltype(ReducedElement<Red, In>(typename In::Memory()))>;
  const long long output = ThreadIndex() / kLanes;
  const bool real = output < args.kept.n;
  const A a = CombineStates<kLanes, A>(args, output, real);
  if (!real || threadIdx.x % kLanes != 0) return;
  const Offsets<3, Index> at(output, args.kept);
  WriteResult<Red, Finish, Out0, Out1>(args, a, at.of[1], at.of[2]);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_REDUCE_H_
