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

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_SPECIAL_H_
