// The exponential of float lanes, as a formula over any float vector: additions, multiplications
// and a scaling by powers of two.
//
//   V y = ExpOfFloat(x);   V: fma, select, scale_by_power_of_two
//
// Error: at most 1.1 ulp with a fused multiply-add, 2 ulp without; exact limits at overflow,
// gradual underflow, NaN stays NaN.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_EXP_H_
#define SWITCHYARD_OPS_FORMULAS_EXP_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// e^x = 2^n e^r with n = round(x / ln 2) and |r| <= ln(2) / 2. r is found with ln 2 in two parts,
// the first short enough for n times it to be exact (W. J. Cody, W. Waite, "Software Manual for the
// Elementary Functions", 1980). e^r = 1 + r + r^2 q(r): q is the polynomial of degree 4 whose
// largest relative error in e^r is least (Remez; 3.1e-9 before its coefficients are rounded to
// float).
template <class V>
SY_FN V ExpOfFloat(V x) {
  // Beyond these, float is infinite or 0; n stays in the range that the scaling takes.
  const V high = V(89.0f), low = V(-104.0f);
  x = select(x > high, high, select(x < low, low, x));
  const V shift = V(12582912.0f);                     // 1.5 * 2^23: adding it rounds to an integer
  const V n = fma(x, V(1.44269504f), shift) - shift;  // 1 / ln 2
  V r = fma(n, V(-0.693145752f), x);                  // the first 15 bits of ln 2
  r = fma(n, V(-1.42860677e-6f), r);                  // the rest
  V p = fma(V(0.0013814599f), r, V(0.008368717f));
  p = fma(p, r, V(0.04166839f));
  p = fma(p, r, V(0.16666521f));
  p = fma(p, r, V(0.49999994f));
  p = fma(p, r, V(1.0f));
  p = fma(p, r, V(1.0f));
  return scale_by_power_of_two(p, n);
}

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_EXP_H_
