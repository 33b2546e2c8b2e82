// Softmax and scans: kLanes threads for each line. 1 where neighbouring lines are neighbours in
// memory, else a block.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_LINES_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_LINES_H_

#include "switchyard/backends/cuda/device/pointwise.h"
#include "switchyard/ops/formulas/arithmetic.h"
#include "switchyard/ops/formulas/exponential.h"

namespace sy::cuda {

inline constexpr int kLineThreads = 256;

// combine(a, b) of all threads of a block, in every one of them. All call it.
template <class V, class F>
SY_FN V BlockAll(V x, F combine) {
  __shared__ V slots[kLineThreads];
  const int t = static_cast<int>(threadIdx.x);
  __syncthreads();
  slots[t] = x;
  for (int d = kLineThreads / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) slots[t] = combine(slots[t], slots[t + d]);
  }
  __syncthreads();
  return slots[0];
}
template <int kLanes, class V, class F>
SY_FN V GroupAll(V x, F combine) {
  if constexpr (kLanes == 1) {
    return x;
  } else {
    return BlockAll(x, combine);
  }
}
template <int kLanes>
SY_FN long long LineOfThread() {
  return kLanes == 1 ? ThreadIndex() : static_cast<long long>(blockIdx.x);
}
template <int kLanes>
SY_FN int Lane() {
  return kLanes == 1 ? 0 : static_cast<int>(threadIdx.x);
}

enum class SoftmaxKind {
  kPlain,
  kLog,
  kLogInSteps,  // sum and logarithm are rounded to Out
};
using enum SoftmaxKind;

// In converts to Out's type first; both compute in float or double.
template <class Out, class In, SoftmaxKind kKind, int kLanes>
SY_FN void Softmax(const LineArgs& args) {
  const long long line = LineOfThread<kLanes>();
  const bool real = line < args.space.n;
  const Offsets<3, UInt64> at(real ? line : 0, args.space);
  const long long n = real ? args.n : 0;
  const auto load = [&](long long i) {
    return Lift(Convert<Out>(At<In>(args.in, at.of[2] + i * args.in_step)));
  };
  using V = decltype(Lift(Out()));
  V most(static_cast<typename V::Element>(-__builtin_inf()));
  for (long long i = Lane<kLanes>(); i < n; i += kLanes) {
    const V x = load(i);
    most = select(x > most, x, most);
  }
  most = GroupAll<kLanes>(most, [](V a, V b) { return select(b > a, b, a); });
  V sum(static_cast<typename V::Element>(0));
  for (long long i = Lane<kLanes>(); i < n; i += kLanes) sum = sum + exp(load(i) - most);
  sum = GroupAll<kLanes>(sum, [](V a, V b) { return a + b; });
  if constexpr (kKind == kLog) sum = log(sum);
  if constexpr (kKind == kLogInSteps) sum = Lift(Lower<Out>(log(Lift(Lower<Out>(sum)))));
  for (long long i = Lane<kLanes>(); i < n; i += kLanes) {
    const V x = load(i) - most;
    V y;
    if constexpr (kKind == kPlain) {
      y = exp(x) / sum;
    } else {
      y = x - sum;
    }
    At<Out>(args.out[0], at.of[0] + i * args.out_step[0]) = Lower<Out>(y);
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
  static SY_FN void Store(const LineArgs& args, const UInt64* at, long long i, W w) {
    At<T>(args.out[0], at[0] + i * args.out_step[0]) = LowerWide<T>(w);
  }
};

template <class T>
struct LogOfSum {
  using W = decltype(Lift(T()));
  static SY_FN W Of(T x, long long) { return Lift(x); }
  static SY_FN W Combine(W a, W b) { return f::LogAddExp()(b, a); }
  static SY_FN void Store(const LineArgs& args, const UInt64* at, long long i, W w) {
    At<T>(args.out[0], at[0] + i * args.out_step[0]) = Lower<T>(w);
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
  static SY_FN void Store(const LineArgs& args, const UInt64* at, long long i, W w) {
    At<T>(args.out[0], at[0] + i * args.out_step[0]) = Lower<T>(w.value);
    At<long long>(args.out[1], at[1] + i * args.out_step[1]) = w.at;
  }
};

// T: elements in memory, converted to S's.
template <class S, class In, class T, int kLanes>
SY_FN void Scan(const LineArgs& args) {
  using W = typename S::W;
  const long long line = LineOfThread<kLanes>();
  const bool real = line < args.space.n;
  const Offsets<3, UInt64> at(real ? line : 0, args.space);
  const auto load = [&](long long i) {
    return S::Of(Convert<T>(At<In>(args.in, at.of[2] + i * args.in_step)), i);
  };
  if constexpr (kLanes == 1) {
    if (!real) return;
    W w{};
    for (long long i = 0; i < args.n; ++i) {
      w = i == 0 ? load(i) : S::Combine(w, load(i));
      S::Store(args, at.of, i, w);
    }
  } else {
    // A block's width at a time; what came before is carried on.
    __shared__ W slots[kLineThreads];
    const int t = static_cast<int>(threadIdx.x);
    W carried{};
    for (long long first = 0; first < args.n; first += kLineThreads) {
      const long long i = first + t;
      const bool mine = i < args.n;
      if (mine) slots[t] = load(i);
      for (int d = 1; d < kLineThreads; d *= 2) {
        __syncthreads();
        const bool joins = mine && t >= d;
        W w{};
        if (joins) w = S::Combine(slots[t - d], slots[t]);
        __syncthreads();
        if (joins) slots[t] = w;
      }
      __syncthreads();
      if (mine) S::Store(args, at.of, i, first == 0 ? slots[t] : S::Combine(carried, slots[t]));
      const long long left = args.n - first;
      const W last = slots[left < kLineThreads ? left - 1 : kLineThreads - 1];
      carried = first == 0 ? last : S::Combine(carried, last);
      __syncthreads();
    }
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_LINES_H_
