// The neighbour of a number on the way to another.
#include <bit>

#include "switchyard/backends/cpu/simd/once.h"

namespace sy::cpu {
namespace {

// Of the bits of floats: neighbours of one sign are neighbouring integers; magnitudes above
// infinity are NaN.
template <class U, U kInfinity, U kSign>
struct NextAfter : f::Formula {
  static constexpr bool kScalarOnly = true;
  template <class T>
  SY_FN f::Num<T> operator()(f::Num<T> x, f::Num<T> y) const {
    const U a = std::bit_cast<U>(x.v), b = std::bit_cast<U>(y.v);
    const U abs_a = a & U(~kSign), abs_b = b & U(~kSign);
    if (abs_a > kInfinity) return x;
    if (abs_b > kInfinity || a == b || (abs_a == 0 && abs_b == 0)) return y;
    if (abs_a == 0) return std::bit_cast<T>(U(1 | (b & kSign)));
    const bool away = ((a ^ b) & kSign) == 0 && abs_a < abs_b;
    return std::bit_cast<T>(U(away ? a + 1 : a - 1));
  }
};
using OfFloat16 = NextAfter<uint16_t, 0x7c00, 0x8000>;
using OfBFloat16 = NextAfter<uint16_t, 0x7f80, 0x8000>;
using OfFloat = NextAfter<uint32_t, 0x7f800000, 0x80000000>;
using OfDoubleBits = NextAfter<uint64_t, 0x7ff0000000000000, 0x8000000000000000>;

// In the loops of integers of the same size.
template <class Op, class Integer>
constexpr Loop kLoop = baseline::LoopOf<f::NextAfter, Op, Integer>();

constexpr LoopTable table = [] {
  LoopTable t{};
  t.loops[static_cast<int>(DType::kFloat16)] = kLoop<OfFloat16, int16_t>;
  t.loops[static_cast<int>(DType::kBFloat16)] = kLoop<OfBFloat16, int16_t>;
  t.loops[static_cast<int>(DType::kFloat32)] = kLoop<OfFloat, int32_t>;
  t.loops[static_cast<int>(DType::kFloat64)] = kLoop<OfDoubleBits, int64_t>;
  return t;
}();
constexpr LoopSet loops{table, kFormula<f::NextAfter>};

const LoopKernel kernel{loops};

}  // namespace
}  // namespace sy::cpu
