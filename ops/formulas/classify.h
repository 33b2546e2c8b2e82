// Formulas that tell what kind of number one is, and those that go by its sign.
//
//   f::IsFinite()(a)   a mask;   f::Sign()(a)   a number
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_CLASSIFY_H_
#define SWITCHYARD_OPS_FORMULAS_CLASSIFY_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct IsNan : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return a != a;
  }
};

struct IsInf : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return abs(a) == V(__builtin_inf());
    } else {
      return a != a;
    }
  }
  template <class V>
  SY_FN auto operator()(Complex<V> a) const {
    return (*this)(a.re) | (*this)(a.im);
  }
};

struct IsFinite : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return abs(a) < V(__builtin_inf());
    } else {
      return a == a;
    }
  }
  template <class V>
  SY_FN auto operator()(Complex<V> a) const {
    return (*this)(a.re) & (*this)(a.im);
  }
};

struct IsPosInf : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return a == V(__builtin_inf());
    } else {
      return a != a;
    }
  }
};

struct IsNegInf : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return a == V(-__builtin_inf());
    } else {
      return a != a;
    }
  }
};

struct IsReal : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return (a == a) | (a != a);
  }
  template <class V>
  SY_FN auto operator()(Complex<V> a) const {
    return a.im == V(0.0);
  }
};

struct SignBit : Formula {
  template <class V>
  SY_FN auto operator()(V a) const {
    if constexpr (kIsFloat<typename V::Element>) {
      return copysign(V(1.0), a) < V(0.0);
    } else {
      return a < V(0);
    }
  }
};

// -1, 0 or 1; 0 for NaN.
struct Sign : Formula {
  template <class V>
  SY_FN V operator()(V a) const {
    using E = typename V::Element;
    const V zero = V(E(0));
    return select(a > zero, V(E(1)), select(a < zero, V(E(-1)), zero));
  }
};

// For complex numbers, the point of the unit circle in a's direction.
struct Direction : TranscendentalFormula {
  static constexpr bool kScalarUnlessFloat = false;
  template <class V>
  SY_FN Complex<V> operator()(Complex<V> a) const {
    const V length = abs(a), zero = V(0.0);
    const auto is_zero = length == zero;
    return {select(is_zero, zero, a.re / length), select(is_zero, zero, a.im / length)};
  }
};

struct Sgn : Sign {
  using OnComplex = Direction;
};

// a with NaN and infinities replaced; parts of complex numbers each by itself.
struct NanToNum : Formula {
  template <class V>
  SY_FN V operator()(V a, V nan, V positive, V negative) const {
    const V infinity = V(__builtin_inf());
    const V finite = select(a == infinity, positive, select(a == -infinity, negative, a));
    return select(isnan(a), nan, finite);
  }
  template <class V>
  SY_FN Complex<V> operator()(Complex<V> a, Complex<V> nan, Complex<V> positive,
                              Complex<V> negative) const {
    return {(*this)(a.re, nan.re, positive.re, negative.re),
            (*this)(a.im, nan.re, positive.re, negative.re)};
  }
};

// 0 where a < 0, 1 where a > 0, b at 0; 0 for NaN.
struct Heaviside : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    using E = typename V::Element;
    const V zero = V(E(0));
    return select(a == zero, b, select(a > zero, V(E(1)), zero));
  }
};

// The magnitude of a with the sign of b.
struct Copysign : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return copysign(a, b);
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_CLASSIFY_H_
