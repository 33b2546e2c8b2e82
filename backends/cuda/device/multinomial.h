// Positions drawn from rows of probabilities.
// Source of the ways: multinomial_out, ATen/native/Distributions.cpp; MultinomialKernel.cpp. The
// order in which words are taken is the host's, of rows that lie densely.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_MULTINOMIAL_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_MULTINOMIAL_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/random.h"
#include "switchyard/backends/cuda/device/search.h"

namespace sy::cuda {

template <class T>
SY_FN double Probability(const MultinomialArgs& args, long long at) {
  return static_cast<double>(Lift(static_cast<const T*>(args.probabilities)[at]).v);
}
SY_FN double UniformOfPair(const MultinomialArgs& args, long long pair) {
  const bool replayed = args.state != nullptr;
  const UInt64 first = args.offset + (replayed ? args.state[1] : 0);
  const Words words =
      Philox(replayed ? args.state[0] : args.seed, first + static_cast<UInt64>(pair) / 2);
  return UniformDouble(words.w + pair % 2 * 2);
}

// A block for each row: reports what is no probability, and a row without any. Returns their sum.
template <class T>
SY_FN double SumProbabilities(const MultinomialArgs& args) {
  const long long row = blockIdx.x;
  double sum = 0, all;
  for (long long i = threadIdx.x; i < args.n; i += kOrderThreads) {
    const double p = Probability<T>(args, row * args.n + i);
    if (!(p >= 0 && p <= 1.7976931348623157e308)) {
      Complain(args.report, args.op, Complaint::kProbability, BitCast<long long>(p), i, row);
    }
    sum += p;
  }
  BlockSumBefore<kOrderThreads>(sum, all);
  if (threadIdx.x == 0 && all <= 0)
    Complain(args.report, args.op, Complaint::kNoProbability, 0, 0, row);
  return all;
}
template <class T>
SY_FN void CheckRows(const MultinomialArgs& args) {
  SumProbabilities<T>(args);
}

// Sums of each row's probabilities so far, as parts of all of them. Sum: float or double.
template <class T, class Sum>
SY_FN void Cumulate(const MultinomialArgs& args) {
  const double whole = SumProbabilities<T>(args);
  const long long first = static_cast<long long>(blockIdx.x) * args.n;
  double carried = 0, all;
  for (long long begin = 0; begin < args.n; begin += kOrderThreads) {
    const long long i = begin + threadIdx.x;
    const double p = i < args.n ? Probability<T>(args, first + i) : 0;
    const double before = carried + BlockSumBefore<kOrderThreads>(p, all);
    carried += all;
    if (i >= args.n) continue;
    static_cast<Sum*>(args.out)[first + i] =
        i + 1 == args.n ? Sum(1) : static_cast<Sum>((before + p) / whole);
  }
}
// The first position that is not below a uniform number. T: of what has been cumulated.
template <class T>
SY_FN void DrawByCumulated(const MultinomialArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.rows * args.samples) return;
  const T* const sums = static_cast<const T*>(args.probabilities) + i / args.samples * args.n;
  const double u = UniformOfPair(args, i);
  const long long at =
      CountBefore(args.n, [&](long long k) { return static_cast<double>(sums[k]) < u; });
  static_cast<long long*>(args.out)[i] = at < args.n ? at : args.n - 1;
}

// Probabilities by exponential numbers, whose largest are drawn.
template <class T>
SY_FN void Race(const MultinomialArgs& args) {
  const long long i = ThreadIndex();
  if (i >= args.rows * args.n) return;
  using V = decltype(Lift(T()));
  using Compute = typename V::Element;
  const T drawn = Lower<T>(V(static_cast<Compute>(-::log1p(-UniformOfPair(args, i)))));
  const T p = static_cast<const T*>(args.probabilities)[i];
  static_cast<T*>(args.out)[i] = Lower<T>(Lift(p) / Lift(drawn));
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_MULTINOMIAL_H_
