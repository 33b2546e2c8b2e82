// Formulas of losses: what one element and its target cost.
//
//   f::SmoothL1()(a, b, beta)
//
// a: what was predicted, b: the target, of one floating dtype. The sum or the mean is a reduction
// that the kernels do afterwards (ops/nn/elementwise_loss.cc). NaN in either gives NaN.
//
// With the default parameters:
//
//                       a, b:  0, 0    0.5, 0    2, 0    1, 0    0, 1
//   SquaredDifference           0       0.25      4       1       1
//   SmoothL1, Huber             0       0.125    1.5     0.5     0.5
//   BinaryCrossEntropy          0       0.693     -      100     100
// Owns: nothing.
// Threads: any.
// Errors: none; betas, deltas and probabilities out of range are refused by the operators.
#ifndef SWITCHYARD_OPS_FORMULAS_LOSS_H_
#define SWITCHYARD_OPS_FORMULAS_LOSS_H_

#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

// (a - b)^2: the difference is rounded once and squared.
// Operator: mse_loss.
struct SquaredDifference : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return (a - b) * (a - b);
  }
};
SY_FORMULA(SquaredDifference, .inputs = 2, .dtypes = kHalves | kFloats)

// Half the square of the distance over beta where it is below beta, linear beyond: d^2 / (2 beta),
// then d - beta / 2, which meet at beta with the same slope. beta = 0 is the distance itself.
// Operator: smooth_l1_loss; beta is 1 by default.
struct SmoothL1 : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V beta) const {
    const V z = abs(a - b), half = V(0.5);
    return select(z < beta, half * z * z / beta, z - half * beta);
  }
};
SY_FORMULA(SmoothL1, .inputs = 2, .params = 1, .dtypes = kHalves | kFloats)
// Half the square of the distance up to delta, linear beyond: delta times SmoothL1 with beta =
// delta.
// Operator: huber_loss; delta is 1 by default and must be positive.
struct Huber : Formula {
  template <class V>
  SY_FN V operator()(V a, V b, V delta) const {
    const V z = abs(a - b), half = V(0.5);
    return select(z <= delta, half * z * z, delta * (z - half * delta));
  }
};
SY_FORMULA(Huber, .inputs = 2, .params = 1, .dtypes = kHalves | kFloats)

// -(b log a + (1 - b) log(1 - a)); a: a probability, b: the target, both from 0 to 1. Logarithms
// are at least -100, so that a prediction that is wrong for certain costs 100 and not infinity.
// Operator: binary_cross_entropy, which multiplies by the weight afterwards.
struct BinaryCrossEntropy : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    const V least = V(-100.0), one = V(1.0);
    const V la = log(a), lb = log1p(-a);
    return (b - one) * select(lb < least, least, lb) - b * select(la < least, least, la);
  }
};
SY_FORMULA(BinaryCrossEntropy, .inputs = 2, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_LOSS_H_
