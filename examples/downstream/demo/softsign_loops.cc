// demo::softsign on the cpu device: a formula, compiled for single numbers and for vectors of three
// instruction sets. Broadcasting, strides, conversion and threads are the engine's.

#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/arithmetic.h"

namespace demo {

struct Softsign : sy::f::Formula {
  template <class V>
  SY_FN V operator()(V x) const {
    using E = typename V::Element;
    return x / (V(E(1)) + sy::f::Abs()(x));
  }
};

}  // namespace demo

SY_CPU_LOOPS(softsign, demo::Softsign, Unary, kFloats, kHalves)
SY_CPU_KERNEL(softsign, "demo::softsign")
