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
  const V centre(static_cast<E>(mean)), scale(factor);
  for (long long i = threadIdx.x; i < args.n; i += kLineThreads) {
    V y = (Lift(static_cast<const T*>(args.in)[first + i]) - centre) * scale;
    if (args.weight != nullptr) y = y * V(E(Lift(static_cast<const P*>(args.weight)[i]).v));
    if (args.bias != nullptr) y = y + V(E(Lift(static_cast<const P*>(args.bias)[i]).v));
    static_cast<T*>(args.out)[first + i] = Lower<T>(y);
  }
  if (threadIdx.x == 0 && args.mean != nullptr) {
    static_cast<M*>(args.mean)[row] = Convert<M>(centre.v);
    static_cast<M*>(args.factor)[row] = Convert<M>(factor);
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_NORM_H_
