// Layer norm: 32 threads or a block of 256 to 1024 for each row, mean and then squares of what is
// left. Elements move N side by side; rows that fit kPacks times N of each thread's registers are
// read once, of longer ones (kPacks 0) each pass reads anew.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_H_

#include "switchyard/backends/cuda/device/lines.h"

namespace sy::cuda {

// Rows and weights as a thread holds them.
template <class T, class P, int kLanes, int N, int kPacks>
struct NormRow {
  using V = decltype(Lift(T()));
  using E = typename V::Element;
  const NormArgs& args;
  const T* in;
  V x[kPacks == 0 ? 1 : kPacks * N];

  SY_FN NormRow(const NormArgs& given, long long row)
      : args(given), in(static_cast<const T*>(given.in) + row * given.n) {
    if constexpr (kPacks > 0) {
      Pack<T, N> packs[kPacks];
      ForEachPack<kLanes, N, kPacks>(args.n, [&](long long i, int j) {
        packs[j / N] = *reinterpret_cast<const Pack<T, N>*>(in + i);
      });
      ForEachPack<kLanes, N, kPacks>(args.n, [&](long long, int j) {
#pragma unroll
        for (int k = 0; k < N; ++k) x[j + k] = Lift(packs[j / N].v[k]);
      });
    }
  }
  // The sum of f(element) of the row, in double.
  template <class F>
  SY_FN double Sum(F f) const {
    double sum = 0;
    if constexpr (kPacks > 0) {
      ForEachPack<kLanes, N, kPacks>(args.n, [&](long long, int j) {
#pragma unroll
        for (int k = 0; k < N; ++k) sum += f(static_cast<double>(x[j + k].v));
      });
    } else {
      ForEachPackOf<kLanes, N>(args.n, [&](long long i) {
        const Pack<T, N> pack = *reinterpret_cast<const Pack<T, N>*>(in + i);
#pragma unroll
        for (int k = 0; k < N; ++k) sum += f(static_cast<double>(Lift(pack.v[k]).v));
      });
    }
    return GroupAll<kLanes>(sum, [](double a, double b) { return a + b; });
  }
  // y(element), times weight, plus bias, to `out`.
  template <class F>
  SY_FN void Write(T* out, F y) const {
    const P* const weight = static_cast<const P*>(args.weight);
    const P* const bias = static_cast<const P*>(args.bias);
    const auto write = [&](long long i, const auto& element) {
      V v[N];
#pragma unroll
      for (int k = 0; k < N; ++k) v[k] = y(element(k));
      if (weight != nullptr) {
        const Pack<P, N> w = *reinterpret_cast<const Pack<P, N>*>(weight + i);
#pragma unroll
        for (int k = 0; k < N; ++k) v[k] = v[k] * V(E(Lift(w.v[k]).v));
      }
      if (bias != nullptr) {
        const Pack<P, N> b = *reinterpret_cast<const Pack<P, N>*>(bias + i);
#pragma unroll
        for (int k = 0; k < N; ++k) v[k] = v[k] + V(E(Lift(b.v[k]).v));
      }
      Pack<T, N> r;
#pragma unroll
      for (int k = 0; k < N; ++k) r.v[k] = Lower<T>(v[k]);
      *reinterpret_cast<Pack<T, N>*>(out + i) = r;
    };
    if constexpr (kPacks > 0) {
      ForEachPack<kLanes, N, kPacks>(
          args.n, [&](long long i, int j) { write(i, [&](int k) { return x[j + k]; }); });
    } else {
      ForEachPackOf<kLanes, N>(args.n, [&](long long i) {
        const Pack<T, N> pack = *reinterpret_cast<const Pack<T, N>*>(in + i);
        write(i, [&](int k) { return Lift(pack.v[k]); });
      });
    }
  }
};

// T: rows; P: weight and bias; M: mean and factor, as they lie in memory. kCentred: the mean is
// taken off, as rms_norm does not.
template <class T, class P, class M, bool kCentred, int kLanes, int N, int kPacks>
SY_FN void Normalize(const NormArgs& args) {
  const long long row = LineOfThread<kLanes>();
  if (row >= args.rows) return;  // of whole warps, where they work together
  using Row = NormRow<T, P, kLanes, N, kPacks>;
  using V = typename Row::V;
  using E = typename V::Element;
  const Row x(args, row);
  const double count = static_cast<double>(args.n);
  double mean = 0;
  if constexpr (kCentred) mean = x.Sum([](double e) { return e; }) / count;
  const double variance = x.Sum([mean](double e) { return (e - mean) * (e - mean); }) / count;
  const E factor =
      E(1) / static_cast<E>(sqrt(Num<E>(static_cast<E>(variance) + static_cast<E>(args.eps))).v);
  const V centre(static_cast<E>(mean)), scale(factor), shift = -centre * scale;
  x.Write(static_cast<T*>(args.out) + row * args.n, [&](V e) {
    if constexpr (kIsHalf<T>) {  // as on the host, where the difference shows in the last bit
      return MultiplyAdd(e, scale, shift);
    } else {
      return (e - centre) * scale;
    }
  });
  if (Lane<kLanes>() == 0 && args.mean != nullptr) {
    static_cast<M*>(args.mean)[row] = Convert<M>(centre.v);
    static_cast<M*>(args.factor)[row] = Convert<M>(factor);
  }
}

// rms_norm of complex numbers, by the mean of their squares, which is complex.
template <class T>
SY_FN void NormalizeComplex(const NormArgs& args) {
  using V = decltype(Lift(T()));
  using W = Complex<Num<double>>;
  const long long first = blockIdx.x * args.n;
  const auto wide = [](const T& x) { return Lift(Convert<Pair<double>>(x)); };
  const T* const in = static_cast<const T*>(args.in) + first;
  W sum(Num<double>(0.0), Num<double>(0.0));
  for (long long i = threadIdx.x; i < args.n; i += kLineThreads) {
    const W x = wide(in[i]);
    sum = sum + x * x;
  }
  sum = BlockAll(sum, [](W a, W b) { return a + b; });
  const Num<double> count(static_cast<double>(args.n));
  const W mean(sum.re / count + Num<double>(args.eps), sum.im / count);
  const V scale = Lift(Convert<T>(Lower<Pair<double>>(W(1.0) / sqrt(mean))));
  for (long long i = threadIdx.x; i < args.n; i += kLineThreads) {
    V y = Lift(in[i]) * scale;
    if (args.weight != nullptr) y = y * Lift(static_cast<const T*>(args.weight)[i]);
    static_cast<T*>(args.out)[first + i] = Lower<T>(y);
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_H_
