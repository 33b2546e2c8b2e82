// Formulas of angles, trigonometric and hyperbolic functions.
//
//   f::Sin()(a)   a: a float or complex number
//
// Error against the exact value: at most 4 ulp (libmvec's bound) for float and double; complex
// numbers as the C library.
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_TRIGONOMETRIC_H_
#define SWITCHYARD_OPS_FORMULAS_TRIGONOMETRIC_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct Acos : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return acos(a);
  }
};

struct Acosh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return acosh(a);
  }
};

struct Asin : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return asin(a);
  }
};

struct Asinh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return asinh(a);
  }
};

struct Atan : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return atan(a);
  }
};

struct Atanh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return atanh(a);
  }
};

struct Cos : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return cos(a);
  }
};

struct Cosh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return cosh(a);
  }
};

struct Sin : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return sin(a);
  }
};

struct Sinh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return sinh(a);
  }
};

struct Tan : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return tan(a);
  }
};

struct Tanh : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return tanh(a);
  }
};

struct Atan2 : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return atan2(a, b);
  }
};

struct Hypot : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return hypot(a, b);
  }
};

// The angle of a number in the complex plane: of real ones 0 or pi.
struct Angle : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    return select(isnan(a), a, select(a < V(0.0), V(3.14159265358979323846), V(0.0)));
  }
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return atan2(a.im, a.re);
  }
};

struct Conj : Formula {
  template <class V>
  SY_FN Complex<V> operator()(Complex<V> a) const {
    return {a.re, -a.im};
  }
};

struct RealPart : Formula {
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return a.re;
  }
};
struct ImaginaryPart : Formula {
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return a.im;
  }
};
struct SumOfParts : Formula {
  template <class V>
  SY_FN V operator()(Complex<V> a) const {
    return a.re + a.im;
  }
};
// The product of complex numbers from three real ones: a of their real parts, b of the imaginary
// ones, c of the parts' sums.
struct ComplexOfThree : Formula {
  template <class V>
  SY_FN Complex<V> operator()(V a, V b, V c) const {
    return {a - b, c - a - b};
  }
};

// A complex number of its parts, of its length and angle.
struct MakeComplex : Formula {
  template <class V>
  SY_FN Complex<V> operator()(V re, V im) const {
    return {re, im};
  }
};
struct Polar : TranscendentalFormula {
  static constexpr bool kScalarUnlessFloat = false;
  template <class V>
  SY_FN Complex<V> operator()(V length, V angle) const {
    return {length * cos(angle), length * sin(angle)};
  }
};

struct DegreesToRadians : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * V(3.14159265358979323846 / 180);
  }
};

struct RadiansToDegrees : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    return a * V(180 / 3.14159265358979323846);
  }
};

// sin(pi a) / (pi a); 1 at 0.
struct Sinc : TranscendentalFormula {
  template <class V>
  SY_FN V operator()(V a) const {
    const V x = a * V(3.14159265358979323846);
    return select(a == V(0.0), V(1.0), sin(x) / x);
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_TRIGONOMETRIC_H_
