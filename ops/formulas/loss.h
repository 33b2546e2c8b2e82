// Formulas of losses: what one element and its target cost.
//
//   f::SmoothL1()(a, b, beta)
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_LOSS_H_
#define SWITCHYARD_OPS_FORMULAS_LOSS_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct SquaredDifference : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return (a - b) * (a - b);
  }
};

// Half the square of the distance over beta where it is below beta, linear beyond.
struct SmoothL1 : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V beta) const {
    const V z = abs(a - b), half = V(0.5);
    return select(z < beta, half * z * z / beta, z - half * beta);
  }
};
struct Huber : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V delta) const {
    const V z = abs(a - b), half = V(0.5);
    return select(z <= delta, half * z * z, delta * (z - half * delta));
  }
};

// a: a probability, b: the target. Logarithms are at least -100.
struct BinaryCrossEntropy : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    const V least = V(-100.0), one = V(1.0);
    const V la = log(a), lb = log1p(-a);
    return (b - one) * select(lb < least, least, lb) - b * select(la < least, least, la);
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_LOSS_H_
