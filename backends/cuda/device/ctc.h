// ctc_loss: a block for each sample, whose threads share the states of a step, or the classes. A
// target of s classes has 2 s + 1 states, blanks between and around its classes.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_CTC_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_CTC_H_

#include "switchyard/backends/cuda/device/grid.h"
#include "switchyard/backends/cuda/device/losses.h"
#include "switchyard/backends/cuda/device/nn_args.h"

namespace sy::cuda {

SY_FN double CtcNever() { return -__builtin_inf(); }
SY_FN double LogAdd(double a, double b) {
  const double most = a > b ? a : b, least = a > b ? b : a;
  return most == CtcNever() ? most : most + ::log1p(::exp(least - most));
}

struct CtcSample {
  const CtcArgs& args;
  long long sample, steps, states;
  const Int64* target;

  SY_FN explicit CtcSample(const CtcArgs& given)
      : args(given), sample(static_cast<long long>(blockIdx.x)) {
    const Int64* lengths = static_cast<const Int64*>(args.lengths);
    steps = lengths[sample];
    states = 2 * lengths[args.samples + sample] + 1;
    target = static_cast<const Int64*>(args.targets) + lengths[2 * args.samples + sample];
  }
  // What is no class counts as the blank, and is reported by Check.
  SY_FN long long Class(long long state) const {
    if (state % 2 == 0) return args.blank;
    const long long y = target[state / 2];
    return y >= 0 && y < args.classes ? y : args.blank;
  }
  SY_FN void Check() const {
    for (long long k = threadIdx.x; k < states / 2; k += blockDim.x) IsClass(args, target[k]);
  }
  // Where the log_probs of a step lie.
  SY_FN long long At(long long step) const { return (step * args.samples + sample) * args.classes; }
  SY_FN const double* LogProbs(long long step) const {
    return static_cast<const double*>(args.log_probs) + At(step);
  }
  SY_FN double* Alpha(long long step) const {
    return args.alpha + (sample * args.steps + step) * args.width;
  }
};

// T: of no matter.
template <class T>
SY_FN void CtcForward(const CtcArgs& args) {
  const CtcSample s(args);
  s.Check();
  for (long long t = 0; t < args.steps; ++t) {
    double* now = s.Alpha(t);
    for (long long k = threadIdx.x; k < args.width; k += blockDim.x) {
      double sum = CtcNever();
      if (t < s.steps && k < s.states) {
        if (t == 0) {
          if (k < 2) sum = 0;
        } else {
          const double* before = s.Alpha(t - 1);
          sum = before[k];
          if (k > 0) sum = LogAdd(sum, before[k - 1]);
          if (k > 1 && s.Class(k) != s.Class(k - 2)) sum = LogAdd(sum, before[k - 2]);
        }
        sum += s.LogProbs(t)[s.Class(k)];
      }
      now[k] = sum;
    }
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  if (s.steps == 0) {
    args.losses[s.sample] = s.states == 1 ? 0.0 : -CtcNever();
  } else {
    const double* last = s.Alpha(s.steps - 1) + s.states;
    args.losses[s.sample] = -(s.states == 1 ? last[-1] : LogAdd(last[-1], last[-2]));
  }
}

// out is zero but for what this writes.
template <class T>
SY_FN void CtcBackward(const CtcArgs& args) {
  const CtcSample s(args);
  s.Check();
  const double loss = args.losses[s.sample], g = args.grad[s.sample];
  if (args.zero_infinity && loss == -CtcNever()) return;  // the whole block
  double* const betas = args.beta + s.sample * 2 * args.width;
  for (long long t = s.steps - 1; t >= 0; --t) {
    double* const beta = betas + t % 2 * args.width;
    const double *after = betas + (t + 1) % 2 * args.width, *p = s.LogProbs(t), *alpha = s.Alpha(t);
    for (long long k = threadIdx.x; k < s.states; k += blockDim.x) {
      double sum = CtcNever();
      if (t == s.steps - 1) {
        if (k + 2 >= s.states) sum = 0;
      } else {
        sum = after[k];
        if (k + 1 < s.states) sum = LogAdd(sum, after[k + 1]);
        if (k + 2 < s.states && s.Class(k) != s.Class(k + 2)) sum = LogAdd(sum, after[k + 2]);
      }
      beta[k] = sum + p[s.Class(k)];
    }
    __syncthreads();
    for (long long c = threadIdx.x; c < args.classes; c += blockDim.x) {
      double all = CtcNever();
      for (long long k = 0; k < s.states; ++k) {
        if (s.Class(k) == c) all = LogAdd(all, alpha[k] + beta[k]);
      }
      args.out[s.At(t) + c] = (::exp(p[c]) - ::exp(all + loss - p[c])) * g;
    }
    __syncthreads();
  }
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_CTC_H_
