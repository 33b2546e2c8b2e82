// demo::smoothstep on the cpu device. The formula is written once and compiled for single numbers
// and for vectors of three instruction sets; broadcasting, strides, conversion and threads are the
// engine's.

#include "switchyard/backends/cpu/simd/register.h"
#include "switchyard/ops/formulas/vocab.h"

namespace demo {

struct Smoothstep : sy::f::Formula {
  template <class V>
  SY_FN V operator()(V x) const {
    using E = typename V::Element;
    return x * x * (V(E(3)) - (x + x));
  }
};

}  // namespace demo

SY_CPU_LOOPS(smoothstep, demo::Smoothstep, Unary, kFloats, kHalves)
SY_CPU_KERNEL(smoothstep, "demo::smoothstep")
