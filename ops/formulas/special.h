// Formulas of special functions that are computed in lanes.
//
//   f::Erf()(a)   a: a float
//
// Error against the exact value: at most 4 ulp (libmvec), 1 ulp (SLEEF's lgamma).
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_SPECIAL_H_
#define SWITCHYARD_OPS_FORMULAS_SPECIAL_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct Erf : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return erf(a);
  }
};

struct Erfc : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return erfc(a);
  }
};

struct Lgamma : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return lgamma(a);
  }
};

// The normal distribution: the probability below a. Source: ATen special_ndtr.
struct Ndtr : TranscendentalFormula {
  static constexpr bool kRoundsEachStep = true, kScalarUnlessFloat = false;
  template <class V>
  SY_FN V operator()(V a) const {
    using E = typename V::Element;
    return (V(E(1)) + erf(a / V(E(1.41421356237309504880)))) * V(E(0.5));
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_SPECIAL_H_
