// Random counts, of numbers drawn evenly from [0, 1): Poisson's, and of successes.
//
//   f::Poisson(rate, next)     next(): the next number of a stream, 53 bits of it
//   f::Binomial(n, p, next)
//
// In double, one at a time, from as many numbers as it takes; the order in which they are drawn is
// ATen's. Source: W. Hörmann, "The transformed rejection method for generating Poisson random
// variables", 1993 (PTRS), where rates are 10 or more; "The generation of binomial random
// variates", 1993 (BTRS), where as many successes or failures are expected.
// Owns: nothing. Threads: any. Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_COUNTS_H_
#define SWITCHYARD_OPS_FORMULAS_COUNTS_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// Events in a time in which `rate` are expected; rate >= 0.
template <class Next>
SY_FN double Poisson(double rate, Next& next) {
  if (rate == 0) return 0;
  if (rate < 10) {  // as many factors as leave the product above e^-rate
    const double least = SY_LIBM(exp)(-rate);
    double product = next(), count = 0;
    for (; product > least; count += 1) product *= next();
    return count;
  }
  const double root = SY_LIBM(sqrt)(rate), log_rate = SY_LIBM(log)(rate);
  const double b = 0.931 + 2.53 * root, a = -0.059 + 0.02483 * b;
  const double log_alpha = SY_LIBM(log)(1.1239 + 1.1328 / (b - 3.4)),
               most = 0.9277 - 3.6224 / (b - 2);
  while (true) {
    const double u = next() - 0.5, v = next(), s = 0.5 - SY_LIBM(fabs)(u);
    const double k = SY_LIBM(floor)((2 * a / s + b) * u + rate + 0.43);
    if (s >= 0.07 && v <= most) return k;
    if (k < 0 || (s < 0.013 && v > s)) continue;
    const double height = SY_LIBM(log)(v) + log_alpha - SY_LIBM(log)(a / (s * s) + b);
    if (height <= -rate + k * log_rate - SY_LIBM(lgamma)(k + 1)) return k;
  }
}

// log k! less what Stirling's formula gives of it, for a whole k >= 0: its series where that is
// long enough, else the difference.
SY_FN double StirlingRest(double k) {
  const double x = k + 1, square = x * x;
  if (k <= 9) {
    return SY_LIBM(lgamma)(x) -
           (0.91893853320467274 + (k + 0.5) * SY_LIBM(log)(x) - x);  // log sqrt(2 pi)
  }
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / x;
}

// Successes of n trials for p <= 1/2, few: failures between them are skipped.
template <class Next>
SY_FN double FewSuccesses(double n, double p, Next& next) {
  const double log_failure = SY_LIBM(log1p)(-p);
  double trials = 0, count = 0;
  while (true) {
    trials += SY_LIBM(ceil)(SY_LIBM(log)(next()) / log_failure);
    if (!(trials <= n)) return count;
    count += 1;
  }
}
// Many of them.
template <class Next>
SY_FN double ManySuccesses(double n, double p, Next& next) {
  const double spread = SY_LIBM(sqrt)(n * p * (1 - p)), odds = p / (1 - p);
  const double b = 1.15 + 2.53 * spread, a = -0.0873 + 0.0248 * b + 0.01 * p;
  const double most = 0.92 - 4.2 / b, alpha = (2.83 + 5.1 / b) * spread;
  const double mode = SY_LIBM(floor)((n + 1) * p);
  while (true) {
    const double u = next() - 0.5, v = next(), s = 0.5 - SY_LIBM(fabs)(u);
    const double k = SY_LIBM(floor)((2 * a / s + b) * u + n * p + 0.5);
    if (s >= 0.07 && v <= most) return k;
    if (k < 0 || k > n) continue;
    const double height = SY_LIBM(log)(v * alpha / (a / (s * s) + b));
    const double bound = (mode + 0.5) * SY_LIBM(log)((mode + 1) / (odds * (n - mode + 1))) +
                         (n + 1) * SY_LIBM(log)((n - mode + 1) / (n - k + 1)) +
                         (k + 0.5) * SY_LIBM(log)(odds * (n - k + 1) / (k + 1)) +
                         StirlingRest(mode) + StirlingRest(n - mode) - StirlingRest(k) -
                         StirlingRest(n - k);
    if (height <= bound) return k;
  }
}
// Successes of n trials that each succeed with probability p. None for n or p below 0, n for a p
// above 1, NaN for NaN.
template <class Next>
SY_FN double Binomial(double n, double p, Next& next) {
  if (n != n || p != p) return n + p;
  if (n <= 0 || p <= 0) return 0;
  if (p >= 1) return n;
  const bool rare = p <= 0.5;
  const double q = rare ? p : 1 - p;
  const double count = n * q >= 10 ? ManySuccesses(n, q, next) : FewSuccesses(n, q, next);
  return rare ? count : n - count;
}

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_COUNTS_H_
