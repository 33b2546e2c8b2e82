// The small floats of plugins are those of the runtime, bit by bit.

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>

#include "switchyard/c/plugin.hpp"
#include "switchyard/core/half.h"

namespace sy {
namespace {

template <class Theirs, class Ours, class Bits>
void Compare() {
  for (uint32_t bits = 0; bits <= std::numeric_limits<Bits>::max(); ++bits) {
    Theirs theirs;
    Ours ours;
    theirs.bits = ours.bits = static_cast<Bits>(bits);
    const float f = theirs, expected = ours;
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(f)) << bits;
    } else {
      ASSERT_EQ(std::bit_cast<uint32_t>(f), std::bit_cast<uint32_t>(expected)) << bits;
    }
  }
  std::mt19937 random(5);
  for (int i = 0; i < 2'000'000; ++i) {
    // Any bits, and numbers of the formats' own size.
    float f = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (i % 2 != 0)
      f = std::ldexp(static_cast<float>(static_cast<int32_t>(random())), -30 - i % 32);
    if (std::isnan(f)) {
      ASSERT_TRUE(std::isnan(static_cast<float>(Theirs(f))));
    } else {
      ASSERT_EQ(Theirs(f).bits, Ours(f).bits) << f;
    }
  }
}

TEST(ElementsTest, Half) { Compare<abi::Half, Half, uint16_t>(); }
TEST(ElementsTest, BFloat16) { Compare<abi::BFloat16, BFloat16, uint16_t>(); }
TEST(ElementsTest, Float8E4M3FN) { Compare<abi::Float8E4M3FN, Float8E4M3FN, uint8_t>(); }
TEST(ElementsTest, Float8E5M2) { Compare<abi::Float8E5M2, Float8E5M2, uint8_t>(); }

}  // namespace
}  // namespace sy
