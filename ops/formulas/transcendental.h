// Formulas of powers, exponentials, logarithms and trigonometric functions.
//
//   f::Exp()(a)   a: a float or complex number; pow also takes integers
//
// Error against the exact value: at most 4 ulp (libmvec's bound) for float and double; complex
// numbers as the C library.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_TRANSCENDENTAL_H_
#define SWITCHYARD_OPS_FORMULAS_TRANSCENDENTAL_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct Asin : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return asin(a);
  }
};

struct Exp : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return exp(a);
  }
};

struct Log : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return log(a);
  }
};

struct Sin : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return sin(a);
  }
};

struct Sqrt : LongFormula {
  static constexpr bool kScalarUnlessFloat = true;
  template <class V>
  SY_FN V operator()(V a) const {
    return sqrt(a);
  }
};

struct Rsqrt : LongFormula {
  static constexpr bool kScalarUnlessFloat = true;
  template <class V>
  SY_FN V operator()(V a) const {
    return V(1) / sqrt(a);
  }
};

struct Cube : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * a * a;
  }
};

struct Pow : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return pow(a, b);
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_TRANSCENDENTAL_H_
