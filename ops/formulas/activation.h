// Formulas of neural networks' activations.
//
//   f::LeakyRelu()(a, slope)   a: a float
//
// Parameters are numbers, the same for all elements, in float where the elements are 16-bit floats.
// NaN stays NaN in all of them. Integers are taken by Relu and Threshold alone.
//
// Values, with the operators' default parameters:
//
//                 -inf    -2      -1      -0      0      1      2      inf
//   Relu            0      0       0       0      0      1      2      inf
//   LeakyRelu     -inf   -0.02   -0.01    -0      0      1      2      inf
//   Elu            -1   -0.865  -0.632    -0      0      1      2      inf
//   Gelu          nan   -0.046  -0.159    -0      0    0.841  1.954    inf
//   GeluTanh      nan   -0.045  -0.159    -0      0    0.841  1.955    inf
//   Silu          nan   -0.238  -0.269    -0      0    0.731  1.762    inf
//   Mish          nan   -0.253  -0.303    -0      0    0.865  1.944    inf
//   Softplus        0    0.127   0.313   0.693  0.693  1.313  2.127    inf
//   LogSigmoid   -inf   -2.127  -1.313  -0.693 -0.693 -0.313 -0.127     0
//   Hardsigmoid     0    0.167   0.333    0.5    0.5   0.667  0.833     1
//   Hardswish     nan   -0.333  -0.333    -0      0    0.667  1.667    inf
//   Hardshrink   -inf     -2      -1      0      0      1      2      inf
//   Softshrink   -inf   -1.5    -0.5     -0      0     0.5    1.5     inf
// Owns: nothing.
// Threads: any.
// Errors: none; an operator refuses parameters that the dtype does not hold.
#ifndef SWITCHYARD_OPS_FORMULAS_ACTIVATION_H_
#define SWITCHYARD_OPS_FORMULAS_ACTIVATION_H_

#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/trigonometric.h"

namespace sy::f {

// max(a, 0); -0 becomes 0. Integers too.
// Operator: relu.
struct Relu : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return Maximum()(a, V(typename V::Element(0)));
  }
};
SY_FORMULA(Relu, .dtypes = kIntegers | kHalves | kFloats)

// a slope below 0 and at both zeros, a above. A slope of 0 makes -inf NaN.
// Operator: leaky_relu; the slope is 0.01 by default.
struct LeakyRelu : Formula {
  template <class V>
  SY_FN V operator()(V a, V slope) const {
    return select(a > V(0.0), a, a * slope);
  }
};
SY_FORMULA(LeakyRelu, .params = 1, .dtypes = kHalves | kFloats)

// The same where each element has a slope of its own: kernels broadcast a weight for each channel.
// Operator: _prelu_kernel, which prelu calls.
struct Prelu : LeakyRelu {};
SY_FORMULA(Prelu, .inputs = 2, .dtypes = kHalves | kFloats)

// Source: ATen elu; scale alpha (e^(input_scale a) - 1) below 0, scale a above: from -scale alpha
// on, without loss near 0.
// Operators: elu (all three 1 by default), celu (input_scale 1 / alpha), selu (constants of the
// paper).
struct Elu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V alpha, V scale, V input_scale) const {
    return select(a < V(0.0), expm1(a * input_scale) * (alpha * scale), a * scale);
  }
};
SY_FORMULA(Elu, .params = 3, .dtypes = kHalves | kFloats)

// a Φ(a), the normal distribution's: D. Hendrycks, K. Gimpel, "Gaussian Error Linear Units", 2016.
// NaN at -inf, where it is -inf times 0.
// Operator: gelu with approximate = "none".
struct Gelu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * normal_cdf(a);
  }
};
SY_FORMULA(Gelu, .dtypes = kHalves | kFloats)
// The same paper's approximation: a (1 + tanh(sqrt(2 / pi) (a + 0.044715 a^3))) / 2, which differs
// by less than 0.001.
// Operator: gelu with approximate = "tanh".
struct GeluTanh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    const V inner = V(0.79788456080286535588) * (a + V(0.044715) * (a * a * a));  // sqrt(2/pi)
    return V(0.5) * a * (V(1.0) + tanh(inner));
  }
};
SY_FORMULA(GeluTanh, .dtypes = kHalves | kFloats)

// a sigmoid(a), swish: a / (1 + e^-a). NaN at -inf.
// Operator: silu, of complex numbers too.
struct Silu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a / (V(1.0) + exp(-a));
  }
};
SY_FORMULA(Silu, .dtypes = kHalves | kFloats | kComplexes)

// a gated by b: a sigmoid(b). Kernels give the two halves of a tensor.
// Operator: glu.
struct Glu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a * Sigmoid()(b);
  }
};
SY_FORMULA(Glu, .inputs = 2, .dtypes = kHalves | kFloats)

// a tanh(log(1 + e^a)). D. Misra, "Mish: A Self Regularized Non-Monotonic Activation Function",
// 2019. Where e^a overflows it is a; NaN at -inf.
// Operator: mish.
struct Mish : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * tanh(log1p(exp(a)));
  }
};
SY_FORMULA(Mish, .dtypes = kHalves | kFloats)

// log(1 + e^(beta a)) / beta; a where beta a is above the threshold, so that nothing overflows.
// Operator: softplus; beta 1, threshold 20 by default.
struct Softplus : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V beta, V threshold) const {
    return select(a * beta > threshold, a, log1p(exp(a * beta)) / beta);
  }
};
SY_FORMULA(Softplus, .params = 2, .dtypes = kHalves | kFloats)

// log(1 / (1 + e^-a)) as min(a, 0) - log(1 + e^-|a|), which does not overflow: a for a very
// negative a, 0 for a large one.
// Operator: log_sigmoid.
struct LogSigmoid : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return Minimum()(a, V(0.0)) - log1p(exp(-abs(a)));
  }
};
SY_FORMULA(LogSigmoid, .dtypes = kHalves | kFloats)

// 0 up to -3, 1 from 3 on, a straight line between: min(max(a + 3, 0), 6) / 6.
// Operator: hardsigmoid.
struct Hardsigmoid : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return Clamp()(a + V(3.0), V(0.0), V(6.0)) / V(6.0);
  }
};
SY_FORMULA(Hardsigmoid, .dtypes = kHalves | kFloats)

// a times Hardsigmoid of a, the division last; NaN at -inf.
// Operator: hardswish.
struct Hardswish : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * Clamp()(a + V(3.0), V(0.0), V(6.0)) / V(6.0);
  }
};
SY_FORMULA(Hardswish, .dtypes = kHalves | kFloats)

// 0 from -lambda to lambda, else a. A negative lambda leaves every number as it is.
// Operator: hardshrink; lambda is 0.5 by default.
struct Hardshrink : Formula {
  template <class V>
  SY_FN V operator()(V a, V lambda) const {
    return select((a >= -lambda) & (a <= lambda), V(0.0), a);
  }
};
SY_FORMULA(Hardshrink, .params = 1, .dtypes = kHalves | kFloats)

// Nearer to 0 by lambda, 0 (with a's sign) where it is no farther than that.
// Operator: softshrink; lambda is 0.5 by default and not negative.
struct Softshrink : Formula {
  template <class V>
  SY_FN V operator()(V a, V lambda) const {
    return select(a > lambda, a - lambda, select(a < -lambda, a + lambda, a * V(0.0)));
  }
};
SY_FORMULA(Softshrink, .params = 1, .dtypes = kHalves | kFloats)

// `value` up to the threshold, it included; a above.
// Operator: threshold; of integers too.
struct Threshold : Formula {
  template <class V>
  SY_FN V operator()(V a, V threshold, V value) const {
    return select(a <= threshold, value, a);
  }
};
SY_FORMULA(Threshold, .params = 2, .dtypes = kIntegers | kHalves | kFloats)

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ACTIVATION_H_
