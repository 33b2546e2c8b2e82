// Losses of rows of scores, and a check of probabilities.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_LOSSES_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_LOSSES_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {

// Whether y is a class; a report, where it is not.
template <class Args>
SY_FN bool IsClass(const Args& args, long long y) {
  if (y >= 0 && y < args.classes) return true;
  Complain(args.report, args.op, Complaint::kClass, y, args.classes);
  return false;
}

// A row a thread. kSquared: of the distances.
template <class T, int kSquared>
SY_FN void MultiMargin(const MarginArgs& args) {
  const long long row = ThreadIndex();
  if (row >= args.rows) return;
  const T* x = static_cast<const T*>(args.scores) + row * args.classes;
  const long long y = static_cast<const Int64*>(args.target)[row];
  if (!IsClass(args, y)) return;
  const double weight =
      args.weight == nullptr ? 1 : static_cast<double>(static_cast<const T*>(args.weight)[y]);
  double sum = 0;
  for (long long i = 0; i < args.classes; ++i) {
    const double z = args.margin - static_cast<double>(x[y]) + static_cast<double>(x[i]);
    if (i != y && z > 0) sum += (kSquared ? z * z : z) * weight;
  }
  args.losses[row] = sum / static_cast<double>(args.classes);
}

// The classes of a row end at the first -1; those that follow are checked as well.
template <class T>
SY_FN void MultilabelMargin(const MarginArgs& args) {
  const long long row = ThreadIndex();
  if (row >= args.rows) return;
  const T* x = static_cast<const T*>(args.scores) + row * args.classes;
  const Int64* y = static_cast<const Int64*>(args.target) + row * args.classes;
  long long count = 0;
  while (count < args.classes && y[count] != -1) ++count;
  for (long long i = 0; i < args.classes; ++i) {
    if (y[i] != -1 && !IsClass(args, y[i])) return;
  }
  double sum = 0;
  for (long long i = 0; i < args.classes; ++i) {
    bool is_target = false;
    for (long long t = 0; t < count; ++t) is_target |= y[t] == i;
    for (long long t = 0; t < count && !is_target; ++t) {
      const double z = 1 - static_cast<double>(x[y[t]]) + static_cast<double>(x[i]);
      if (z > 0) sum += z;
    }
  }
  args.losses[row] = sum / static_cast<double>(args.classes);
}

// An element a thread.
template <class T>
SY_FN void MultilabelTargets(const MarginArgs& args) {
  const long long i = ThreadIndex(), row = i / args.classes, c = i % args.classes;
  if (row >= args.rows) return;
  const Int64* y = static_cast<const Int64*>(args.target) + row * args.classes;
  bool is = false;
  for (long long t = 0; t < args.classes && y[t] != -1; ++t) is |= y[t] == c;
  static_cast<T*>(args.out)[i] = is ? T(1) : T(0);
}

// What the losses pass back, an element a thread.
template <class T>
SY_FN double MarginGrad(const MarginArgs& args, long long row) {
  return static_cast<double>(static_cast<const T*>(args.grad)[args.each ? row : 0]) * args.scale;
}
template <class T, int kSquared>
SY_FN void MultiMarginBackward(const MarginArgs& args) {
  const long long i = ThreadIndex(), row = i / args.classes, c = i % args.classes;
  if (row >= args.rows) return;
  const T* x = static_cast<const T*>(args.scores) + row * args.classes;
  const long long y = static_cast<const Int64*>(args.target)[row];
  if (!IsClass(args, y)) return;
  const auto slope = [&](long long k) {
    const double z = args.margin - static_cast<double>(x[y]) + static_cast<double>(x[k]);
    return z > 0 ? (kSquared ? 2 * z : 1.0) : 0.0;
  };
  double sum = 0;
  if (c != y) {
    sum = slope(c);
  } else {
    for (long long k = 0; k < args.classes; ++k) sum -= k == y ? 0.0 : slope(k);
  }
  if (args.weight != nullptr) sum *= static_cast<double>(static_cast<const T*>(args.weight)[y]);
  static_cast<T*>(args.out)[i] = static_cast<T>(sum * MarginGrad<T>(args, row));
}
template <class T>
SY_FN void MultilabelMarginBackward(const MarginArgs& args) {
  const long long i = ThreadIndex(), row = i / args.classes, c = i % args.classes;
  if (row >= args.rows) return;
  const T* x = static_cast<const T*>(args.scores) + row * args.classes;
  const T* is = static_cast<const T*>(args.is_target) + row * args.classes;
  const Int64* y = static_cast<const Int64*>(args.target) + row * args.classes;
  const auto counts = [&](long long t, long long other) {
    return 1 - static_cast<double>(x[t]) + static_cast<double>(x[other]) > 0 ? 1.0 : 0.0;
  };
  double sum = 0;
  for (long long t = 0; t < args.classes && y[t] != -1; ++t) {
    if (!IsClass(args, y[t])) return;
    if (is[c] == T(0)) sum += counts(y[t], c);
    for (long long k = 0; k < args.classes && y[t] == c; ++k) {
      if (is[k] == T(0)) sum -= counts(c, k);
    }
  }
  static_cast<T*>(args.out)[i] = static_cast<T>(sum * MarginGrad<T>(args, row));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_LOSSES_H_
