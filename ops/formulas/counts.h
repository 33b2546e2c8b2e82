// Random counts, of numbers drawn evenly from [0, 1): Poisson's, and of successes.
//
//   f::Poisson(rate, next)     next(): the next number of a stream, 53 bits of it
//
// In double, one at a time, from as many numbers as it takes; the order in which they are drawn is
// ATen's. Source: W. Hörmann, "The transformed rejection method for generating Poisson random
// variables", 1993 (PTRS), where rates are 10 or more.
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

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_COUNTS_H_
