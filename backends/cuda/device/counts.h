// Random counts: each element takes its numbers from counters of its own, and where these do not
// do, from the same counters of further streams.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_COUNTS_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_COUNTS_H_

#include "switchyard/backends/cuda/device/check.h"
#include "switchyard/backends/cuda/device/random.h"
#include "switchyard/ops/formulas/counts.h"

namespace sy::cuda {

// Numbers of an element, two a counter.
struct OwnUniforms {
  UInt64 seed, first;
  unsigned taken = 0;
  Words words = {};

  SY_FN double operator()() {
    const unsigned counter = taken / 2;
    if (taken % 2 == 0) {
      const UInt64 stream = seed + counter / kCountersEach * 0x9E3779B97F4A7C15ull;
      words = Philox(stream, first + counter % kCountersEach);
    }
    return UniformDouble(words.w + taken++ % 2 * 2);
  }
};

template <class T>
SY_FN void FillPoisson(const RandomArgs& given) {
  const long long i = ThreadIndex();
  if (i >= given.n) return;
  const RandomArgs args = Started(given);
  const double rate = static_cast<double>(Lift(static_cast<const T*>(args.in)[i]).v);
  if (!(rate >= 0)) {
    Complain(args.report, args.op, Complaint::kRate, BitCast<Int64>(rate));
    return;
  }
  OwnUniforms next{args.seed, args.offset + static_cast<UInt64>(i) * kCountersEach};
  static_cast<T*>(args.out)[i] = Convert<T>(f::Poisson(rate, next));
}

// Of as many trials as `in` says, with the probabilities that `rank` points to.
template <class T>
SY_FN void FillBinomial(const RandomArgs& given) {
  const long long i = ThreadIndex();
  if (i >= given.n) return;
  const RandomArgs args = Started(given);
  OwnUniforms next{args.seed, args.offset + static_cast<UInt64>(i) * kCountersEach};
  static_cast<T*>(args.out)[i] = static_cast<T>(
      f::Binomial(static_cast<const T*>(args.in)[i], static_cast<const T*>(args.rank)[i], next));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_COUNTS_H_
