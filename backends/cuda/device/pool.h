// Pooling: a thread for each output goes over its window. Halves are compared and summed in float,
// integers in 64 bits.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_POOL_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_POOL_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

// One output's window within the input.
struct Place {
  long long plane;
  long long begin[3], end[3], step[3];
  long long extent;  // elements of the window, those of the padding included

  SY_FN Place(const PoolArgs& args, long long output) : extent(1) {
    const Windows& w = args.w;
    long long rest = output;
#pragma unroll
    for (int d = 2; d >= 0; --d) {
      const long long i = rest % w.outputs[d];
      rest /= w.outputs[d];
      if (args.adaptive) {
        begin[d] = i * w.inputs[d] / w.outputs[d];
        end[d] = ((i + 1) * w.inputs[d] + w.outputs[d] - 1) / w.outputs[d];
        step[d] = 1;
        extent *= end[d] - begin[d];
        continue;
      }
      const long long first = i * w.stride[d] - w.padding[d], dilation = w.dilation[d];
      const long long last = first + (w.kernel[d] - 1) * dilation + 1;
      const long long padded = w.inputs[d] + w.padding[d];
      extent *= (last < padded ? last : padded) - first;
      begin[d] = first < 0 ? first + (-first + dilation - 1) / dilation * dilation : first;
      end[d] = last < w.inputs[d] ? last : w.inputs[d];
      step[d] = dilation;
    }
    plane = rest;
  }
  // Calls f(position in the plane) for the elements of the window.
  template <class F>
  SY_FN void ForEach(const Windows& w, F f) const {
    for (long long i = begin[0]; i < end[0]; i += step[0]) {
      for (long long j = begin[1]; j < end[1]; j += step[1]) {
        const long long row = (i * w.inputs[1] + j) * w.inputs[2];
        for (long long k = begin[2]; k < end[2]; k += step[2]) f(row + k);
      }
    }
  }
};

SY_FN long long InputsOf(const Windows& w) { return w.inputs[0] * w.inputs[1] * w.inputs[2]; }
SY_FN long long OutputsOf(const Windows& w) { return w.outputs[0] * w.outputs[1] * w.outputs[2]; }

// The largest element, the first of equals, NaN before all others.
template <class T>
SY_FN void MaxPool(const PoolArgs& args) {
  const long long output = ThreadIndex();
  if (output >= args.planes * OutputsOf(args.w)) return;
  const Place p(args, output);
  const T* x = static_cast<const T*>(args.in) + p.plane * InputsOf(args.w);
  long long at = (p.begin[0] * args.w.inputs[1] + p.begin[1]) * args.w.inputs[2] + p.begin[2];
  T most = x[at];
  p.ForEach(args.w, [&](long long i) {
    const auto v = Lift(x[i]);
    if (v > Lift(most) || isnan(v)) {
      most = x[i];
      at = i;
    }
  });
  static_cast<T*>(args.out)[output] = most;
  if (args.places != nullptr) static_cast<Int64*>(args.places)[output] = at;
}

template <class T>
SY_FN auto Summed(T x) {
  if constexpr (kIsHalf<T> || kIsFloat<T>) {
    return Lift(x).v;
  } else {
    return static_cast<Int64>(x);
  }
}
// x, rounded to T where the kernel rounds each operation.
template <class T, class Sum>
SY_FN Sum RoundedSum(const PoolArgs& args, Sum x) {
  if constexpr (kIsHalf<T>) {
    if (args.rounds) return Summed(Convert<T>(x));
  }
  return x;
}
template <class T>
SY_FN void AvgPool(const PoolArgs& args) {
  const long long output = ThreadIndex();
  if (output >= args.planes * OutputsOf(args.w)) return;
  const Place p(args, output);
  const T* x = static_cast<const T*>(args.in) + p.plane * InputsOf(args.w);
  using Sum = decltype(Summed(T()));
  Sum sum = 0;
  long long count = 0;
  p.ForEach(args.w, [&](long long i) {
    sum = RoundedSum<T>(args, static_cast<Sum>(sum + Summed(x[i])));
    ++count;
  });
  if (args.rounds && count != 0) {  // dimension by dimension
    for (int d = 0; d < 3; ++d)
      sum = RoundedSum<T>(args, sum / static_cast<Sum>(p.end[d] - p.begin[d]));
    static_cast<T*>(args.out)[output] = Convert<T>(sum);
    return;
  }
  const long long by = args.divisor != 0 ? args.divisor : args.include_pad ? p.extent : count;
  static_cast<T*>(args.out)[output] = Convert<T>(count == 0 ? Sum(0) : sum / static_cast<Sum>(by));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_POOL_H_
