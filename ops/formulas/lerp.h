// Linear interpolation, exact at both ends: weight 0 gives a, weight 1 gives b.
//
//   f::Lerp()(a, b, weight)
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_LERP_H_
#define SWITCHYARD_OPS_FORMULAS_LERP_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// From the nearer end. Source: ATen lerp (native/Lerp.h).
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

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_LERP_H_
