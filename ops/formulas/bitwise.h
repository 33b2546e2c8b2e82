// Formulas on the bits of integers; bool is 0 and 1.
//
//   f::BitwiseXor()(a, b)
//
// Owns: nothing.
// Threads: any.
#ifndef SWITCHYARD_OPS_FORMULAS_BITWISE_H_
#define SWITCHYARD_OPS_FORMULAS_BITWISE_H_

#include "switchyard/ops/formulas/vocab.h"

namespace sy::f {

struct BitwiseAnd : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a & b;
  }
};

struct BitwiseXor : SignAgnosticFormula {
  template <class V>
  SY_FN V operator()(V a, V b) const {
    return a ^ b;
  }
};

}  // namespace sy::f

#endif  // SWITCHYARD_OPS_FORMULAS_BITWISE_H_
