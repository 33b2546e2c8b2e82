// The neighbour of a number on the way to another.
#include <bit>

#include "switchyard/backends/cpu/engine/pointwise.h"
#include "switchyard/backends/cpu/simd/once.h"
#include "switchyard/registry/kernel.h"

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
template <class Op, DType kInteger, DType kFloat>
const LoopSet& Loops() {
  static constexpr LoopTable table = [] {
    LoopTable t{};
    t.loops[static_cast<int>(kFloat)] =
        kOnceTable<Binary, Op, Bit(kInteger)>.loops[static_cast<int>(kInteger)];
    return t;
  }();
  static constexpr LoopSet set{table,          table, table,       Binary::kSignature,
                               Binary::kArity, false, Bit(kFloat), 0};
  return set;
}

void Next(Call call, const Tensor& out, const Tensor& self, const Tensor& other) {
  const DType dtype = call.dtype();
  const LoopSet& set =
      dtype == DType::kFloat16    ? Loops<OfFloat16, DType::kInt16, DType::kFloat16>()
      : dtype == DType::kBFloat16 ? Loops<OfBFloat16, DType::kInt16, DType::kBFloat16>()
      : dtype == DType::kFloat32  ? Loops<OfFloat, DType::kInt32, DType::kFloat32>()
                                  : Loops<OfDoubleBits, DType::kInt64, DType::kFloat64>();
  RunLoops(set, dtype, out, self, other);
}

const Kernel kernel{"nextafter", "cpu", kFloatingTypes, Next};

}  // namespace
}  // namespace sy::cpu
