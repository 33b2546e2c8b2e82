// Steps of optimisers over several parameters: a row of blocks for each.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_OPTIMIZER_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_OPTIMIZER_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/number.h"
#include "switchyard/backends/cuda/device/optimizer_args.h"

namespace sy::cuda {

// T: an element; Op: of ops/formulas/optimizer.h.
template <class T, class Op>
SY_FN void StepOf(const StepArgs& args) {
  using V = decltype(Lift(T{}));
  if (args.found_inf != nullptr && *args.found_inf == 1.0f) return;
  const int row = static_cast<int>(blockIdx.y);
  const long long n = args.n[row];
  long long i = ThreadIndex();
  if (i >= n) return;
  f::StepNumbers k = args.numbers;
  if (args.lr != nullptr) k.lr = *args.lr;
  const double step =
      args.step[row] != nullptr ? static_cast<double>(*args.step[row]) : args.step_number[row];
  Op::Prepare(k, step, ::pow(k.beta1, step), ::pow(k.beta2, step));
  T *const p = static_cast<T*>(args.data[row][0]), *const g = static_cast<T*>(args.data[row][1]),
           *const a = static_cast<T*>(args.data[row][2]),
           *const b = static_cast<T*>(args.data[row][3]),
           *const c = static_cast<T*>(args.data[row][4]);
  const V none(typename V::Element(0));
  for (; i < n; i += ThreadCount()) {
    V x = Lift(p[i]), gradient = Lift(g[i]);
    V kept = a != nullptr ? Lift(a[i]) : none;
    V second = b != nullptr ? Lift(b[i]) : none;
    V third = c != nullptr ? Lift(c[i]) : none;
    if (args.grad_scale != nullptr) {
      gradient = gradient / f::NumberOf<V>(static_cast<double>(*args.grad_scale));
      g[i] = Lower<T>(gradient);
    }
    Op::Run(x, gradient, kept, second, third, k);
    p[i] = Lower<T>(x);
    if (a != nullptr) a[i] = Lower<T>(kept);
    if (b != nullptr) b[i] = Lower<T>(second);
    if (c != nullptr) c[i] = Lower<T>(third);
  }
}

template <class T>
SY_FN void Unscale(const UnscaleArgs& args) {
  using V = decltype(Lift(T{}));
  const int row = static_cast<int>(blockIdx.y);
  T* const data = static_cast<T*>(args.data[row]);
  const V scale = f::NumberOf<V>(static_cast<double>(*args.scale));
  V found(typename V::Element(0));
  for (long long i = ThreadIndex(); i < args.n[row]; i += ThreadCount()) {
    const V x = Lift(data[i]);
    found = found + f::NanUnlessFinite(x);
    data[i] = Lower<T>(x * scale);
  }
  if (isnan(found)) *args.found = 1.0f;
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_OPTIMIZER_H_
