// Formulas of neural networks' activations.
//
//   f::LeakyRelu()(a, slope)   a: a float
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_ACTIVATION_H_
#define SWITCHYARD_OPS_FORMULAS_ACTIVATION_H_

#include "switchyard/ops/formulas/compare.h"
#include "switchyard/ops/formulas/exponential.h"
#include "switchyard/ops/formulas/trigonometric.h"

namespace sy::f {

struct Relu : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return Maximum()(a, V(typename V::Element(0)));
  }
};

// a slope below 0.
struct LeakyRelu : Formula {
  template <class V>
  SY_FN V operator()(V a, V slope) const {
    return select(a > V(0.0), a, a * slope);
  }
};

// Source: ATen elu; scale alpha (e^(input_scale a) - 1) below 0.
struct Elu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V alpha, V scale, V input_scale) const {
    return select(a < V(0.0), expm1(a * input_scale) * (alpha * scale), a * scale);
  }
};

// a Φ(a), the normal distribution's: D. Hendrycks, K. Gimpel, "Gaussian Error Linear Units", 2016.
struct Gelu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * normal_cdf(a);
  }
};
// The same paper's approximation.
struct GeluTanh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    const V inner = V(0.79788456080286535588) * (a + V(0.044715) * (a * a * a));  // sqrt(2/pi)
    return V(0.5) * a * (V(1.0) + tanh(inner));
  }
};

struct Silu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a / (V(1.0) + exp(-a));
  }
};

// a gated by b.
struct Glu : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a * Sigmoid()(b);
  }
};

// D. Misra, "Mish: A Self Regularized Non-Monotonic Activation Function", 2019.
struct Mish : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * tanh(log1p(exp(a)));
  }
};

// log(1 + e^(beta a)) / beta; a where beta a is above the threshold.
struct Softplus : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V beta, V threshold) const {
    return select(a * beta > threshold, a, log1p(exp(a * beta)) / beta);
  }
};

struct LogSigmoid : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return Minimum()(a, V(0.0)) - log1p(exp(-abs(a)));
  }
};

struct Hardsigmoid : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return Clamp()(a + V(3.0), V(0.0), V(6.0)) / V(6.0);
  }
};

struct Hardswish : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * Clamp()(a + V(3.0), V(0.0), V(6.0)) / V(6.0);
  }
};

// 0 from -lambda to lambda.
struct Hardshrink : Formula {
  template <class V>
  SY_FN V operator()(V a, V lambda) const {
    return select((a >= -lambda) & (a <= lambda), V(0.0), a);
  }
};

// Nearer to 0 by lambda.
struct Softshrink : Formula {
  template <class V>
  SY_FN V operator()(V a, V lambda) const {
    return select(a > lambda, a - lambda, select(a < -lambda, a + lambda, a * V(0.0)));
  }
};

// `value` up to the threshold.
struct Threshold : Formula {
  template <class V>
  SY_FN V operator()(V a, V threshold, V value) const {
    return select(a <= threshold, value, a);
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_ACTIVATION_H_
