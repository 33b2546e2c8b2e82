// Greatest common divisors and least common multiples.
#include "switchyard/backends/cpu/simd/once.h"
#include "switchyard/ops/formulas/bitwise.h"

namespace sy::cpu {
namespace {

const LoopKernel gcd{"gcd", kOnce<Binary, f::Gcd, kIntegers>};
const LoopKernel lcm{"lcm", kOnce<Binary, f::Lcm, kIntegers>};

}  // namespace
}  // namespace sy::cpu
