// The device's elements and conversions, compiled for the host, against the host's own.

#include "backends/cuda/testing.h"

#define SY_EMULATED 1
#include "backends/cuda/emulator/prelude.h"
#include "switchyard/backends/cuda/device/number.h"

namespace sy::cuda {
namespace {

template <class To, class From>
void ConvertAll(void* to, const void* from, int64_t n) {
  for (int64_t i = 0; i < n; ++i)
    static_cast<To*>(to)[i] = Convert<To>(static_cast<const From*>(from)[i]);
}

template <class... T>
struct Types {
  using Fn = void (*)(void*, const void*, int64_t);
  template <class From>
  static std::vector<Fn> RowOf() {
    return {ConvertAll<T, From>...};
  }
  static std::vector<std::vector<Fn>> Table() { return {RowOf<T>()...}; }
};
// In the order of DType.
using All = Types<Bool, unsigned char, signed char, short, int, Int64, unsigned short, unsigned,
                  UInt64, Float16, BFloat16, float, double, Pair<Float16>, Pair<float>,
                  Pair<double>, Float8E4M3FN, Float8E5M2>;

// Values outside an integer's range, between two of a short float's, and none at all.
TEST(ConvertTest, EveryPairOfDTypesAsTheHostDoes) {
  const Tensor values = tensor(
      {0.,        1.,     -1.,    2.5,          -3.5,          65504.,       65519.,       65520.,
       70000.,    -1e9,   3e9,    -3e9,         1e19,          -1e30,        std::nan(""), INFINITY,
       -INFINITY, 1e-6,   3e-8,   300.,         448.,          464.,         465.,         480.,
       57344.,    61439., 61440., 1.0009765625, 1.00146484375, 0.0009765625, 1e-40,        -0.});
  const auto table = All::Table();
  for (int i = 0; i < kNumDTypes; ++i) {
    const Tensor from = call("to.dtype", values, static_cast<DType>(i)).take();
    for (int j = 0; j < kNumDTypes; ++j) {
      SCOPED_TRACE(std::string(Name(static_cast<DType>(i))) + " to " +
                   std::string(Name(static_cast<DType>(j))));
      const Tensor to = Tensor::Empty(from.sizes(), static_cast<DType>(j));
      table[static_cast<size_t>(i)][static_cast<size_t>(j)](to.data(), from.data(), to.numel());
      ExpectClose(to, call("to.dtype", from, static_cast<DType>(j)).take(), 0);
    }
  }
}

// All bit patterns of 16 bits there and back.
TEST(ConvertTest, ShortFloatsKeepTheirBits) {
  for (unsigned bits = 0; bits < 1u << 16; ++bits) {
    const Float16 h{static_cast<unsigned short>(bits)};
    const BFloat16 b{static_cast<unsigned short>(bits)};
    const float x = ToFloat(h), y = ToFloat(b);
    EXPECT_EQ(BitCast<unsigned>(x), BitCast<unsigned>(internal::HalfBitsToFloat(h.bits)));
    if (x == x) {
      EXPECT_EQ(FromFloat<Float16>(x).bits, bits);
    }
    if (y == y) {
      EXPECT_EQ(FromFloat<BFloat16>(y).bits, bits);
    }
  }
}

}  // namespace
}  // namespace sy::cuda
