// Largest elements of windows at fractional distances: a thread for each window. Starts are
// computed in the elements' dtype, 16-bit floats rounded after every operation, as on the host.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_FRACTIONAL_POOL_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_FRACTIONAL_POOL_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

// The first element of window i along dimension d.
template <class T>
SY_FN long long FractionalStart(const Windows& w, int d, long long i, T sample) {
  using V = decltype(Lift(T()).v);
  const auto round = [](V x) { return Lift(Convert<T>(x)).v; };
  const long long free = w.inputs[d] - w.kernel[d], n = w.outputs[d];
  if (i + 1 == n) return free;
  const V first = Lift(sample).v;
  const V step = round(round(static_cast<V>(free)) / round(static_cast<V>(n - 1)));
  const V place = round(round(static_cast<V>(i)) + first);
  // Samples that are none from 0 to 1 still lead nowhere outside.
  const auto whole = [&](V x) {
    const V y = round(x * step);
    return y > V(-0x1p60) && y < V(0x1p60) ? static_cast<long long>(y) : 0ll;
  };
  const long long at = whole(place) - whole(first);
  return at < 0 ? 0 : at > free ? free : at;
}

template <class T>
SY_FN void FractionalMaxPool(const FractionalArgs& args) {
  const Windows& w = args.w;
  const long long output = ThreadIndex(), outputs = w.outputs[0] * w.outputs[1] * w.outputs[2];
  if (output >= args.planes * outputs) return;
  const long long plane = output / outputs;
  long long begin[3], rest = output;
#pragma unroll
  for (int d = 2; d >= 0; --d) {
    const long long i = rest % w.outputs[d];
    rest /= w.outputs[d];
    const int own = d - (3 - args.dims);
    begin[d] = 0;
    if (own < 0) continue;
    // Of two numbers the first is the last dimension's, of three the first dimension's.
    const int which = args.dims == 2 ? 1 - own : own;
    begin[d] =
        FractionalStart(w, d, i, static_cast<const T*>(args.samples)[plane * args.dims + which]);
  }
  const T* x = static_cast<const T*>(args.in) + plane * w.inputs[0] * w.inputs[1] * w.inputs[2];
  long long best = (begin[0] * w.inputs[1] + begin[1]) * w.inputs[2] + begin[2];
  T most = x[best];
  for (long long i = begin[0]; i < begin[0] + w.kernel[0]; ++i) {
    for (long long j = begin[1]; j < begin[1] + w.kernel[1]; ++j) {
      const long long row = (i * w.inputs[1] + j) * w.inputs[2];
      for (long long k = row + begin[2]; k < row + begin[2] + w.kernel[2]; ++k) {
        const auto v = Lift(x[k]);
        if (v > Lift(most) || isnan(v)) {
          most = x[k];
          best = k;
        }
      }
    }
  }
  static_cast<T*>(args.out)[output] = most;
  static_cast<Int64*>(args.places)[output] = best;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_FRACTIONAL_POOL_H_
