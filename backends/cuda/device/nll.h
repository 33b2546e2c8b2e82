// nll_loss: a target a thread.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_NLL_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_NLL_H_

#include "switchyard/backends/cuda/device/losses.h"

namespace sy::cuda {

template <class T>
SY_FN double NllWeight(const NllArgs& args, long long y) {
  if (args.weight == nullptr) return 1;
  return static_cast<double>(Lift(static_cast<const T*>(args.weight)[y]).v);
}
template <class T>
SY_FN void NllCosts(const NllArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.count) return;
  const long long y = static_cast<const Int64*>(args.target)[i];
  double loss = 0, weight = 0;
  if (y != args.ignored && IsClass(args, y)) {
    const long long at = (i / args.inner * args.classes + y) * args.inner + i % args.inner;
    weight = NllWeight<T>(args, y);
    loss = -static_cast<double>(Lift(static_cast<const T*>(args.scores)[at]).v) * weight;
  }
  args.costs[i] = loss;
  args.costs[args.count + i] = weight;
}
template <class T>
SY_FN void NllSums(const NllSumArgs& args) {
  if (ThreadIndex() != 0) return;
  const double loss = args.sums[0], weight = args.sums[1];
  *static_cast<T*>(args.loss) = Convert<T>(args.mean ? loss / weight : loss);
  *static_cast<T*>(args.weight) = Convert<T>(weight);
}
// out is zero but for what this writes.
template <class T>
SY_FN void NllBackward(const NllArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.count) return;
  const long long y = static_cast<const Int64*>(args.target)[i];
  if (y == args.ignored || !IsClass(args, y)) return;
  const auto load = [](const void* p, long long k) {
    return static_cast<double>(Lift(static_cast<const T*>(p)[k]).v);
  };
  double g = -load(args.grad, args.each ? i : 0) * NllWeight<T>(args, y);
  if (args.total != nullptr) g /= load(args.total, 0);
  const long long at = (i / args.inner * args.classes + y) * args.inner + i % args.inner;
  static_cast<T*>(args.out)[at] = Convert<T>(g);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_NLL_H_
