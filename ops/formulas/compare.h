// Formulas that compare: truth of relations, the larger or smaller of two numbers, choices.
//
//   f::Lt()(a, b)   a mask;   f::Maximum()(a, b), f::Where()(mask, a, b)   a number
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_COMPARE_H_
#define SWITCHYARD_OPS_FORMULAS_COMPARE_H_

#include "switchyard/ops/formulas/complex.h"
#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct Eq : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a == b;
  }
};

struct Ne : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a != b;
  }
};

struct Lt : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a < b;
  }
};

struct Le : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a <= b;
  }
};

struct Gt : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a > b;
  }
};

struct Ge : Formula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return a >= b;
  }
};

struct LogicalNot : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a) const {
    return a == V(0);
  }
};

struct LogicalAnd : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return (a != V(0)) & (b != V(0));
  }
};

struct LogicalOr : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return (a != V(0)) | (b != V(0));
  }
};

struct LogicalXor : SignAgnosticFormula {
  template <class V>
  SY_FN auto operator()(V a, V b) const {
    return (a != V(0)) != (b != V(0));
  }
};

// The larger one; NaN if either is.
struct Maximum : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select(isnan(a), a, larger(a, b));
  }
};

struct Minimum : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select(isnan(a), a, smaller(a, b));
  }
};

// The larger one; NaN if both are.
struct Fmax : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a > b) | isnan(b), a, b);
  }
};

struct Fmin : Formula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return select((a < b) | isnan(b), a, b);
  }
};

// a limited to [low, high]; high where low is above it; NaN if any of the three is.
struct Clamp : Formula {
  template <class V>
  SY_FN V operator()(V a, V low, V high) const {
    const V limited = smaller(high, larger(low, a));  // NaN where a is
    return select(isnan(low), low, select(isnan(high), high, limited));
  }
};

// a where the mask holds, else b.
struct Where : Formula {
  template <class M, class V>
  SY_FN V operator()(M mask, V a, V b) const {
    return select(mask, a, b);
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_COMPARE_H_
