// The arithmetic of demo::softsign: x / (1 + |x|). It is compiled for single numbers, for vectors
// of three instruction sets, and, when it is first called there, for GPUs. Broadcasting, strides,
// conversion and threads are the backends'.
#ifndef DEMO_SOFTSIGN_H_
#define DEMO_SOFTSIGN_H_

#include "switchyard/ops/formulas/arithmetic.h"

namespace demo {

struct Softsign : sy::f::Formula {
  template <class V>
  SY_FN V operator()(V x) const {
    using E = typename V::Element;
    return x / (V(E(1)) + sy::f::Abs()(x));
  }
};
SY_FORMULA(Softsign, .dtypes = kFloats, .widened = kHalves)

}  // namespace demo

#endif  // DEMO_SOFTSIGN_H_
