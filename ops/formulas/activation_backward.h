// Formulas of what activations pass back: the gradient of an element, from that of its result.
//
//   f::SigmoidBackward()(g, y)   g: the gradient of the result; y: the result, or x: the argument
//
// Parameters are numbers, the same for all elements, in float where the elements are 16-bit floats.
// Where an activation has a corner, its gradient there is the one that ATen takes.
//
// With g = 1 and the operators' default parameters, at x:
//
//                          -inf    -4     -1      0      1      4     inf   nan
//   ThresholdBackward(0)     0      0      0      0      1      1      1     1
//   GeluBackward            nan   -0.001 -0.083  0.5   1.083  1.001   nan   nan
//   SiluBackward            nan   -0.053  0.072  0.5   0.928  1.053   nan   nan
//   HardtanhBackward         0      0      0      1      0      0      0     1
//   HardsigmoidBackward      0      0     0.167  0.167  0.167   0      0     0
//   HardswishBackward        0      0     0.167  0.5   0.833    1      1    nan
// Owns: nothing.
// Threads: any.
// Errors: none; an operator refuses parameters that the dtype does not hold.
#ifndef SWITCHYARD_OPS_FORMULAS_ACTIVATION_BACKWARD_H_
#define SWITCHYARD_OPS_FORMULAS_ACTIVATION_BACKWARD_H_

#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/trigonometric.h"

namespace sy::f {

// Of real numbers themselves.
template <class V>
SY_FN V Conjugate(V a) {
  return a;
}
template <class V>
SY_FN Complex<V> Conjugate(Complex<V> a) {
  return Conj()(a);
}

// g (1 - y) y, of the result y; of complex numbers the conjugate of what g is multiplied by.
// Operator: sigmoid_backward.
struct SigmoidBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V y) const {
    return g * Conjugate((V(1.0) - y) * y);
  }
};
SY_FORMULA(SigmoidBackward, .inputs = 2, .dtypes = kHalves | kFloats | kComplexes)

// g (1 - y y), of the result y; of complex numbers as before.
// Operator: tanh_backward.
struct TanhBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V y) const {
    return g * Conjugate(V(1.0) - y * y);
  }
};
SY_FORMULA(TanhBackward, .inputs = 2, .dtypes = kHalves | kFloats | kComplexes)

// 0 up to the threshold, it included; g above, and where x is NaN. Integers too.
// Operator: threshold_backward, which relu uses with its result.
struct ThresholdBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x, V threshold) const {
    return select(x <= threshold, V(typename V::Element(0)), g);
  }
};
SY_FORMULA(ThresholdBackward, .inputs = 2, .params = 1, .dtypes = kIntegers | kHalves | kFloats)

// g (Φ(x) + x φ(x)), by the normal distribution and its density.
// Operator: gelu_backward with approximate = "none".
struct GeluBackward : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V x) const {
    const V density = exp(x * x * V(-0.5)) * V(0.39894228040143267794);  // 1 / sqrt(2 pi)
    return g * (normal_cdf(x) + x * density);
  }
};
SY_FORMULA(GeluBackward, .inputs = 2, .dtypes = kHalves | kFloats)
// Of the approximation by tanh.
// Operator: gelu_backward with approximate = "tanh".
struct GeluTanhBackward : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V x) const {
    const V root = V(0.79788456080286535588), cubed = V(0.044715);  // sqrt(2 / pi)
    const V inner = root * (x + cubed * (x * x * x));
    const V slope = root * (V(1.0) + V(3.0) * cubed * (x * x));
    const V e = exp(V(-2.0) * abs(inner)), q = V(1.0) / (V(1.0) + e);
    const V half = select(inner < V(0.0), e * q, q);         // (1 + tanh(inner)) / 2
    return g * (half + x * (V(2.0) * e * (q * q) * slope));  // 1 - tanh² without cancellation
  }
};
SY_FORMULA(GeluTanhBackward, .inputs = 2, .dtypes = kHalves | kFloats)

// g s (1 + x (1 - s)), s being the sigmoid of x.
// Operator: silu_backward.
struct SiluBackward : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V x) const {
    const V s = V(1.0) / (V(1.0) + exp(-x));
    return g * s * (V(1.0) + x * (V(1.0) - s));
  }
};
SY_FORMULA(SiluBackward, .inputs = 2, .dtypes = kHalves | kFloats)

// g (t + x s (1 - t t)), t being tanh(log(1 + e^x)) and s the sigmoid of x.
// Operator: mish_backward.
struct MishBackward : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V x) const {
    const V s = V(1.0) / (V(1.0) + exp(-x)), t = tanh(log1p(exp(x)));
    return g * (t + x * s * (V(1.0) - t * t));
  }
};
SY_FORMULA(MishBackward, .inputs = 2, .dtypes = kHalves | kFloats)

// Of elu with coefficients scale above 0, and alpha scale and input_scale below: of its argument,
// or of its result.
// Operator: elu_backward.
struct EluBackward : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V x, V alpha, V scale, V input_scale) const {
    const V below = g * input_scale * (alpha * scale) * exp(x * input_scale);
    return select(x <= V(0.0), below, g * scale);
  }
};
SY_FORMULA(EluBackward, .inputs = 2, .params = 3, .dtypes = kHalves | kFloats)
struct EluBackwardOfResult : Formula {
  template <class V>
  SY_FN V operator()(V g, V y, V alpha, V scale, V input_scale) const {
    return select(y <= V(0.0), g * input_scale * (y + alpha * scale), g * scale);
  }
};
SY_FORMULA(EluBackwardOfResult, .inputs = 2, .params = 3, .dtypes = kHalves | kFloats)

// g times the slope up to 0, g above.
// Operator: leaky_relu_backward.
struct LeakyReluBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x, V slope) const {
    return select(x > V(0.0), g, g * slope);
  }
};
SY_FORMULA(LeakyReluBackward, .inputs = 2, .params = 1, .dtypes = kHalves | kFloats)

// What _prelu_kernel passes back to its argument, and to its weight.
// Operator: _prelu_kernel_backward.
struct PreluBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x, V weight) const {
    return select(x > V(0.0), g, weight * g);
  }
};
SY_FORMULA(PreluBackward, .inputs = 3, .dtypes = kHalves | kFloats)
struct PreluBackwardOfWeight : Formula {
  template <class V>
  SY_FN V operator()(V g, V x) const {
    return select(x > V(0.0), V(0.0), x * g);
  }
};
SY_FORMULA(PreluBackwardOfWeight, .inputs = 2, .dtypes = kHalves | kFloats)

// 0 from the limits on, they included; g between them.
// Operator: hardtanh_backward, which relu6 uses too.
struct HardtanhBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x, V low, V high) const {
    return select((x <= low) | (x >= high), V(0.0), g);
  }
};
SY_FORMULA(HardtanhBackward, .inputs = 2, .params = 2, .dtypes = kHalves | kFloats)

// g / 6 between -3 and 3, 0 elsewhere.
// Operator: hardsigmoid_backward.
struct HardsigmoidBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x) const {
    return select((x > V(-3.0)) & (x < V(3.0)), g * V(1.0 / 6), V(0.0));
  }
};
SY_FORMULA(HardsigmoidBackward, .inputs = 2, .dtypes = kHalves | kFloats)

// 0 up to -3, g from 3 on, g (x / 3 + 1 / 2) between.
// Operator: hardswish_backward.
struct HardswishBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x) const {
    return select(x <= V(-3.0), V(0.0), select(x < V(3.0), g * (x / V(3.0) + V(0.5)), g));
  }
};
SY_FORMULA(HardswishBackward, .inputs = 2, .dtypes = kHalves | kFloats)

// 0 from -lambda to lambda, g elsewhere.
// Operators: hardshrink_backward, softshrink_backward.
struct ShrinkBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x, V lambda) const {
    return select((x >= -lambda) & (x <= lambda), V(0.0), g);
  }
};
SY_FORMULA(ShrinkBackward, .inputs = 2, .params = 1, .dtypes = kHalves | kFloats)

// g e^(beta x) / (e^(beta x) + 1), g where beta x is above the threshold.
// Operator: softplus_backward.
struct SoftplusBackward : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V x, V beta, V threshold) const {
    const V z = exp(x * beta);
    return select(x * beta > threshold, g, g * z / (z + V(1.0)));
  }
};
SY_FORMULA(SoftplusBackward, .inputs = 2, .params = 2, .dtypes = kHalves | kFloats)

// e^-|x|: what log_sigmoid_forward leaves for the gradient.
struct ExpOfMinusMagnitude : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V x) const {
    return exp(-abs(x));
  }
};
SY_FORMULA(ExpOfMinusMagnitude, .dtypes = kHalves | kFloats)
// Of log_sigmoid, with e^-|x| as its forward left it: g (1 - z / (1 + z)) below 0, g z / (1 + z)
// else.
// Operator: log_sigmoid_backward.
struct LogSigmoidBackward : Formula {
  template <class V>
  SY_FN V operator()(V g, V x, V z) const {
    const V part = z / (V(1.0) + z);
    return g * select(x < V(0.0), V(1.0) - part, part);
  }
};
SY_FORMULA(LogSigmoidBackward, .inputs = 3, .dtypes = kHalves | kFloats)

// g / (x (1 - x)), infinite at 0 and 1, NaN outside. Of 16-bit floats every step is rounded, as by
// Logit.
// Operator: logit_backward without eps, or with a negative one.
struct LogitBackward : Formula {
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V g, V x) const {
    const V inside = g / abs(x * (V(1.0) - x));
    return select((x < V(0.0)) | (x > V(1.0)), V(__builtin_nan("")), inside);
  }
};
SY_FORMULA(LogitBackward, .inputs = 2, .dtypes = kHalves | kFloats)
// Of numbers kept between low and high: 0 outside.
// Operator: logit_backward with an eps.
struct LogitBackwardBetween : Formula {
  static constexpr bool kRoundsEachStep = true;
  template <class V>
  SY_FN V operator()(V g, V x, V low, V high) const {
    const V inside = g / abs(x * (V(1.0) - x));
    return select((x < low) | (x > high), V(0.0), inside);
  }
};
SY_FORMULA(LogitBackwardBetween, .inputs = 2, .params = 2, .dtypes = kHalves | kFloats)

// What a sigmoid(b) passes back: g sigmoid(b) to a, and g a sigmoid(b) (1 - sigmoid(b)) to b.
// Operator: glu_backward, of the two halves of a tensor.
struct GluBackward : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V b) const {
    return Sigmoid()(b) * g;
  }
};
SY_FORMULA(GluBackward, .inputs = 2, .dtypes = kHalves | kFloats)
struct GluBackwardOfGate : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V g, V a, V b) const {
    const V s = Sigmoid()(b);
    return (V(1.0) - s) * s * g * a;
  }
};
SY_FORMULA(GluBackwardOfGate, .inputs = 3, .dtypes = kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ACTIVATION_BACKWARD_H_
