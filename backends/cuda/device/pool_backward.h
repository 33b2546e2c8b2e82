// What pools of averages pass back: a thread for each element of the input adds up its shares of
// the windows that it is in, in their order. Halves are summed in float, integers in 64 bits.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_POOL_BACKWARD_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_POOL_BACKWARD_H_

#include "switchyard/backends/cuda/device/pool.h"

namespace sy::cuda {

// The windows that hold element i along dimension d: begin … end - 1.
struct Covering {
  long long begin, end;

  SY_FN Covering(const PoolArgs& args, int d, long long i) {
    const Windows& w = args.w;
    if (args.adaptive) {
      begin = i * w.outputs[d] / w.inputs[d];
      end = ((i + 1) * w.outputs[d] + w.inputs[d] - 1) / w.inputs[d];
      return;
    }
    const long long at = i + w.padding[d];
    begin = at < w.kernel[d] ? 0 : (at - w.kernel[d]) / w.stride[d] + 1;
    end = at / w.stride[d] + 1;
    if (end > w.outputs[d]) end = w.outputs[d];
  }
};

// in: the gradient of the outputs, out: that of the inputs.
template <class T>
SY_FN void AvgPoolBackward(const PoolArgs& args) {
  const Windows& w = args.w;
  const long long input = ThreadIndex();
  if (input >= args.planes * InputsOf(w)) return;
  const long long k = input % w.inputs[2], j = input / w.inputs[2] % w.inputs[1],
                  i = input / w.inputs[2] / w.inputs[1] % w.inputs[0];
  const Covering deep(args, 0, i), high(args, 1, j), wide(args, 2, k);
  const long long first = input / InputsOf(w) * OutputsOf(w);
  using Sum = decltype(Summed(T()));
  Sum sum = 0;
  for (long long a = deep.begin; a < deep.end; ++a) {
    for (long long b = high.begin; b < high.end; ++b) {
      for (long long c = wide.begin; c < wide.end; ++c) {
        const long long output = first + (a * w.outputs[1] + b) * w.outputs[2] + c;
        const Place p(args, output);
        const long long sizes[3] = {p.end[0] - p.begin[0], p.end[1] - p.begin[1],
                                    p.end[2] - p.begin[2]};
        const long long count = sizes[0] * sizes[1] * sizes[2];
        Sum share = Summed(static_cast<const T*>(args.in)[output]);
        if (args.adaptive) {  // as ATen divides, dimension by dimension
          for (int d = 0; d < 3; ++d)
            share = RoundedSum<T>(args, share / static_cast<Sum>(sizes[d]));
        } else {
          const long long by = args.divisor != 0  ? args.divisor
                               : args.include_pad ? p.extent
                                                  : count;
          share = RoundedSum<T>(args, share / static_cast<Sum>(by));
        }
        sum = RoundedSum<T>(args, static_cast<Sum>(sum + share));
      }
    }
  }
  static_cast<T*>(args.out)[input] = Convert<T>(sum);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_POOL_BACKWARD_H_
