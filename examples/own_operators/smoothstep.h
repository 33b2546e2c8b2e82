// The arithmetic of demo::smoothstep, written once and compiled for single numbers, for vectors of
// three instruction sets, and for GPUs. Broadcasting, strides, conversion and threads are the
// backends'.
#ifndef SWITCHYARD_EXAMPLES_OWN_OPERATORS_SMOOTHSTEP_H_
#define SWITCHYARD_EXAMPLES_OWN_OPERATORS_SMOOTHSTEP_H_

#include "switchyard/ops/formulas/facts.h"
#include "switchyard/ops/formulas/vocab.h"

namespace demo {

struct Smoothstep : sy::f::Formula {
  template <class V>
  SY_FN V operator()(V x) const {
    using E = typename V::Element;
    return x * x * (V(E(3)) - (x + x));
  }
};
SY_FORMULA(Smoothstep, .dtypes = kFloats, .widened = kHalves)

}  // namespace demo

#endif  // SWITCHYARD_EXAMPLES_OWN_OPERATORS_SMOOTHSTEP_H_
