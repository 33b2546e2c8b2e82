// Layer norm: a block for each row, in two passes over it, mean and squares of what is left.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_H_

#include "switchyard/backends/cuda/device/lines.h"

namespace sy::cuda {

// T: rows; P: weight and bias; M: mean and factor, as they lie in memory. kCentred: the mean is
// taken off, as rms_norm does not.
template <class T, class P, class M, bool kCentred>
SY_FN void Normalize(const NormArgs& args) {
  using V = decltype(Lift(T()));
  using E = typename V::Element;
  const long long row = blockIdx.x, first = row * args.n;
  const auto load = [&](long long i) {
    return static_cast<double>(Lift(static_cast<const T*>(args.in)[first + i]).v);
  };
  const auto add = [](double a, double b) { return a + b; };
  const double count = static_cast<double>(args.n);
  double mean = 0;
  if constexpr (kCentred) {
    for (long long i = threadIdx.x; i < args.n; i += kLineThreads) mean += load(i);
    mean = BlockAll(mean, add) / count;
  }
  double squares = 0;
  for (long long i = threadIdx.x; i < args.n; i += kLineThreads) {
    const double x = load(i) - mean;
    squares += x * x;
  }
  const double variance = BlockAll(squares, add) / count;
  const E factor =
      E(1) / static_cast<E>(sqrt(Num<E>(static_cast<E>(variance) + static_cast<E>(args.eps))).v);
  const V centre(static_cast<E>(mean)), scale(factor), shift = -centre * scale;
  for (long long i = threadIdx.x; i < args.n; i += kLineThreads) {
    const V x = Lift(static_cast<const T*>(args.in)[first + i]);
    V y;
    if constexpr (kIsHalf<T>) {  // as on the host, where the difference shows in the last bit
      y = MultiplyAdd(x, scale, shift);
    } else {
      y = (x - centre) * scale;
    }
    if (args.weight != nullptr) y = y * V(E(Lift(static_cast<const P*>(args.weight)[i]).v));
    if (args.bias != nullptr) y = y + V(E(Lift(static_cast<const P*>(args.bias)[i]).v));
    static_cast<T*>(args.out)[first + i] = Lower<T>(y);
  }
  if (threadIdx.x == 0 && args.mean != nullptr) {
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
