// Linear interpolation, exact at both ends: weight 0 gives a, weight 1 gives b.
//
//   f::Lerp()(a, b, weight)
//
// Between 1 and 2: weight 0.25 gives 1.25, weight 2 gives 3, weight -1 gives 0.
// Owns: nothing.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_OPS_FORMULAS_LERP_H_
#define SWITCHYARD_OPS_FORMULAS_LERP_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// From the nearer end. Source: ATen lerp (native/Lerp.h).
// A weight outside [0, 1] goes beyond the ends. Where b - a is infinite or NaN, so is the result,
// even at an end. The nearer end is a where |weight| < 1/2, b else; of complex weights the length
// counts. last = kKept: a number as weight is not rounded to a 16-bit float first.
// Operator: lerp, with a tensor or a number as weight.
struct Lerp : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V weight) const {
    return select(IsNear(weight), a + weight * (b - a), b - (b - a) * (V(1.0) - weight));
  }

 private:
  template <class V>
  static SY_FN auto IsNear(V weight) {
    return abs(weight) < V(0.5);
  }
  template <class V>
  static SY_FN auto IsNear(Complex<V> weight) {
    return weight.re * weight.re + weight.im * weight.im < V(0.25);
  }
};
SY_FORMULA(Lerp, .inputs = 3, .last = kKept, .dtypes = kHalves | kFloats | kComplexes)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_LERP_H_
