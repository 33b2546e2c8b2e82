// Hurwitz's zeta function.
#include "switchyard/ops/formulas/zeta.h"

#include "switchyard/backends/cpu/simd/once.h"

namespace sy::cpu {
namespace {

const LoopKernel zeta{"special_zeta", kOnce<Binary, f::Zeta, kFloats>};

}  // namespace
}  // namespace sy::cpu
