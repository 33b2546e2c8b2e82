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

// --- What they pass back to a, g being the gradient of the loss; norm: what a mean divides by, as
// a factor.

// Operator: mse_loss_backward; norm: 2, or 2 / n of a mean.
struct SquaredDifferenceBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V a, V b, V norm) const {
    return norm * (a - b) * g;
  }
};
SY_FORMULA(SquaredDifferenceBackward, .inputs = 3, .params = 1, .dtypes = kHalves | kFloats)
// Operator: smooth_l1_loss_backward.
struct SmoothL1Backward : Formula {
  template <class V>
  SY_FN V operator()(V g, V a, V b, V norm, V beta) const {
    const V x = a - b;
    return select(x <= -beta, -norm * g, select(x >= beta, norm * g, norm * x * g / beta));
  }
};
SY_FORMULA(SmoothL1Backward, .inputs = 3, .params = 2, .dtypes = kHalves | kFloats)
// Operator: huber_loss_backward.
struct HuberBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V a, V b, V norm, V delta) const {
    const V x = a - b;
    return select(x <= -delta, -norm * g * delta,
                  select(x >= delta, norm * g * delta, norm * x * g));
  }
};
SY_FORMULA(HuberBackward, .inputs = 3, .params = 2, .dtypes = kHalves | kFloats)
// The quotient is limited where a is 0 or 1. Of 16-bit floats every step is rounded.
// Operator: binary_cross_entropy_backward, which multiplies by the weight, and divides, afterwards.
struct BinaryCrossEntropyBackward : Formula {
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V g, V a, V b) const {
    const V least = V(1e-12), d = (V(1.0) - a) * a;
    return g * (a - b) / select(d < least, least, d);
  }
};
SY_FORMULA(BinaryCrossEntropyBackward, .inputs = 3, .dtypes = kHalves | kFloats)
// Of log(1 + e^(-b a)): every step is rounded, of 16-bit floats too.
// Operator: soft_margin_loss_backward.
struct SoftMarginBackward : TranscendentalFormula {
  static constexpr bool kRoundsEachStep = true, kScalarUnlessFloat = false;
  template <class V>
  SY_FN V operator()(V g, V a, V b, V norm) const {
    const V z = exp(-b * a);
    return b * z * -norm / (z + V(1.0)) * g;
  }
};
SY_FORMULA(SoftMarginBackward, .inputs = 3, .params = 1, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_LOSS_H_
