#include "switchyard/core/generator.h"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <vector>

namespace sy {
namespace {

uint64_t Field(const Tensor& state, size_t offset, size_t bytes) {
  uint64_t value = 0;
  std::memcpy(&value, state.data<uint8_t>() + offset, bytes);
  return value;
}

// Expected words: the mt19937 stream of seed 0.
TEST(CpuGeneratorTest, DrawsTheMersenneTwistersWords) {
  manual_seed(0);
  Generator& g = DefaultGenerator();
  EXPECT_EQ(g.random(), 2357136044u);
  EXPECT_EQ(g.random64(), (uint64_t{2546248239} << 32) | 3071714933u);
}

TEST(CpuGeneratorTest, DrawsOfAnySizeContinueTheStandardLibrarysStream) {
  manual_seed(12345);
  std::mt19937 expected(12345);
  for (size_t n = 0; n < 2000; n = n * 3 / 2 + 1) {
    std::vector<uint32_t> words(n + 1, 7);
    DefaultGenerator().Draw({words.data(), n});
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(words[i], expected()) << i << " of " << n;
    EXPECT_EQ(words[n], 7u) << "past the end";
  }
}

TEST(CpuGeneratorTest, SeedsBeyond32BitsAreKeptButStartTheStreamOfTheirLowerHalf) {
  manual_seed(uint64_t{1} << 32);
  EXPECT_EQ(initial_seed(), uint64_t{1} << 32);
  EXPECT_EQ(DefaultGenerator().random(), 2357136044u);
}

// Offsets and values: torch.get_rng_state() after torch.manual_seed(0); torch.rand(1).
TEST(CpuGeneratorTest, TheStateIsPyTorchs) {
  manual_seed(0);
  DefaultGenerator().random();
  const Tensor state = get_rng_state();
  EXPECT_EQ(state.numel(), 5056);
  EXPECT_EQ(Field(state, 0, 8), 0u);            // seed
  EXPECT_EQ(Field(state, 8, 4), 624u);          // left
  EXPECT_EQ(Field(state, 12, 4), 1u);           // seeded
  EXPECT_EQ(Field(state, 16, 8), 1u);           // next
  EXPECT_EQ(Field(state, 24, 8), 2443250962u);  // words
  EXPECT_EQ(Field(state, 24 + 8, 8), 1093594115u);
  EXPECT_EQ(Field(state, 24 + 16, 8), 1878467924u);
}

TEST(CpuGeneratorTest, TheStateRestoresTheStreamAndTheLeftOverNormal) {
  manual_seed(3);
  Generator& g = DefaultGenerator();
  for (int i = 0; i < 700; ++i) g.random();
  g.next_normal() = 0.25;
  const Tensor state = get_rng_state();
  const uint64_t expected = g.random64();
  manual_seed(4);
  EXPECT_FALSE(g.next_normal().has_value());
  set_rng_state(state);
  EXPECT_EQ(g.random64(), expected);
  EXPECT_EQ(g.next_normal(), 0.25);
  EXPECT_EQ(initial_seed(), 3u);
}

TEST(CpuGeneratorTest, AStateThatCannotBeIsRefusedAndChangesNothing) {
  manual_seed(0);
  const Tensor state = Tensor::Empty({5056}, DType::kUInt8);
  std::memset(state.data(), 0, 5056);
  EXPECT_THROW(set_rng_state(state), Error);
  EXPECT_EQ(DefaultGenerator().random(), 2357136044u);
}

TEST(CpuGeneratorTest, OwnGeneratorsAreIndependentOfTheDefaultOne) {
  manual_seed(0);
  const std::unique_ptr<Generator> own = NewGenerator();
  own->manual_seed(0);
  EXPECT_EQ(own->random(), 2357136044u);
  EXPECT_EQ(DefaultGenerator().random(), 2357136044u);
}

TEST(CpuGeneratorTest, HasNoOffsetButCanBeCloned) {
  manual_seed(3);
  Generator& g = DefaultGenerator();
  EXPECT_THROW(g.get_offset(), Error);
  EXPECT_THROW(g.set_offset(4), Error);
  const std::unique_ptr<Generator> other = g.clone_state();
  EXPECT_EQ(other->random64(), g.random64());
}

}  // namespace
}  // namespace sy
