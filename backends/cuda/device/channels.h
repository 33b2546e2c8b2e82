// Normalisation by channel: of channels over all samples, and of groups of channels of each sample.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_CHANNELS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_CHANNELS_H_

#include "switchyard/backends/cuda/device/lines.h"
#include "switchyard/backends/cuda/device/nn_args.h"
#include "switchyard/backends/cuda/device/vectors.h"

namespace sy::cuda {

// x as an element of D: ATen keeps statistics in the parameters' dtype before it uses them.
template <class D>
SY_FN double AsStored(double x) {
  return Convert<double>(Convert<D>(x));
}

// How 16-bit floats are treated, as ATen does: those that do not lie densely round at every step;
// of dense bfloat16 the variance is rounded.
enum BatchRounding { kRoundsOnce, kRoundsVariance, kRoundsMean, kRoundsSteps };

// A channel a thread. D: the dtype of statistics.
template <class D, int kRounding>
SY_FN void ChannelNumbers(const ChannelArgs& args) {
  const long long c = ThreadIndex();
  if (c >= args.channels) return;
  const auto round = [](double x) { return AsStored<D>(x); };
  double mean, factor;
  if (args.mean != nullptr) {
    mean = args.mean[c];
    double squares = args.variance[c] * args.count, variance = args.variance[c];
    if constexpr (kRounding == kRoundsVariance) {
      squares = round(squares);
      variance = round(squares / args.count);
    } else if constexpr (kRounding != kRoundsOnce) {
      const double off = mean - round(mean);
      mean = round(mean);
      squares += args.count * off * off;
      variance = squares / args.count;
    }
    factor = 1 / ::sqrt(variance + args.eps);
    if (args.running_mean != nullptr) {
      const double rest = 1 - args.momentum;
      args.running_mean[c] = args.momentum * mean + rest * args.running_mean[c];
      args.running_var[c] =
          args.momentum * (squares / (args.count - 1)) + rest * args.running_var[c];
    }
    args.saved_mean[c] = mean;
    args.saved_factor[c] = factor;
    mean = round(mean);
    factor = round(factor);
  } else {
    mean = args.running_mean[c];
    const double variance = args.running_var[c] + args.eps;
    factor = kRounding == kRoundsSteps ? round(1 / round(::sqrt(round(variance))))
                                       : 1 / ::sqrt(variance);
  }
  const double weight = args.weight == nullptr ? 1 : args.weight[c],
               bias = args.bias == nullptr ? 0 : args.bias[c];
  double* values = args.values + c;
  if constexpr (kRounding == kRoundsSteps) {
    values[0] = mean;
    values[args.channels] = factor;
    values[2 * args.channels] = weight;
    values[3 * args.channels] = bias;
  } else {
    values[0] = weight * factor;
    values[args.channels] = bias - mean * values[0];
  }
}

// x scale + shift, or, where kRounding says so, step by step.
template <class T, int kRounding>
SY_FN void ScaleChannels(const ScaleArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.total) return;
  using V = decltype(LiftStepwise(T()));
  using E = typename V::Element;
  const double* values = args.values + i / args.n % args.channels;
  const auto value = [&](int k) { return static_cast<E>(values[k * args.channels]); };
  const T x = static_cast<const T*>(args.in)[i];
  T& y = static_cast<T*>(args.out)[i];
  if constexpr (kRounding == kRoundsSteps) {
    y = Lower<T>((LiftStepwise(x) - V(value(0))) * V(value(1)) * V(value(2)) + V(value(3)));
  } else {
    y = Lower<T>(Lift(x) * Num<E>(value(0)) + Num<E>(value(1)));
  }
}

// A block for each group of each sample, which lies in one piece.
template <class T>
SY_FN void NormalizeGroups(const ScaleArgs& args) {
  using V = decltype(Lift(T()));
  using E = typename V::Element;
  const long long each = args.channels / args.groups, size = each * args.n, group = blockIdx.x;
  const T* x = static_cast<const T*>(args.in) + group * size;
  T* y = static_cast<T*>(args.out) + group * size;
  const auto load = [&](long long i) { return static_cast<double>(Lift(x[i]).v); };
  const auto add = [](double a, double b) { return a + b; };
  const double count = static_cast<double>(size);
  double sum = 0;
  for (long long i = threadIdx.x; i < size; i += kLineThreads) sum += load(i);
  const double mean = BlockAll(sum, add) / count;
  double squares = 0;
  for (long long i = threadIdx.x; i < size; i += kLineThreads) {
    const double off = load(i) - mean;
    squares += off * off;
  }
  const double factor = 1 / ::sqrt(BlockAll(squares, add) / count + args.eps);
  if (threadIdx.x == 0 && args.mean != nullptr) {
    args.mean[group] = mean;
    args.factor[group] = factor;
  }
  const long long first = group % args.groups * each;
  for (long long i = threadIdx.x; i < size; i += kLineThreads) {
    const long long c = first + i / args.n;
    const double scale = args.weight == nullptr ? factor : factor * args.weight[c],
                 shift = (args.bias == nullptr ? 0.0 : args.bias[c]) - mean * scale;
    y[i] = Lower<T>(Lift(x[i]) * V(static_cast<E>(scale)) + V(static_cast<E>(shift)));
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_CHANNELS_H_
