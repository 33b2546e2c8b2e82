#include "switchyard/core/generator.h"

#include <gtest/gtest.h>

#include <vector>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/philox_generator.h"

namespace sy {
namespace {

// A device of two that has nothing but generators.
class Dice final : public DeviceBackend {
 public:
  int Count(std::string*) override { return 2; }
  Allocator* allocator() override { return nullptr; }
  void CopyFromHost(void*, const void*, size_t, int, StreamHandle) override {}
  void CopyToHost(void*, const void*, size_t, int, StreamHandle) override {}
  void CopyWithin(void*, const void*, size_t, int, StreamHandle) override {}
};
DeviceBackend* Make() {
  static Dice dice;
  return &dice;
}
const DeviceRegistration dice{"dice", Make};

std::vector<uint32_t> Draw(Generator& g, size_t n) {
  std::vector<uint32_t> words(n);
  g.Draw(words);
  return words;
}

// Known answer of philox4x32 with 10 rounds for counter 0 and key 0: kat_vectors of Random123.
TEST(PhiloxTest, DrawsTheReferenceWords) {
  PhiloxGenerator g{Device{kHost}};
  g.manual_seed(0);
  EXPECT_EQ(Draw(g, 4), (std::vector<uint32_t>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
}

TEST(PhiloxTest, AReservationIsWhatAKernelWouldHaveDrawn) {
  PhiloxGenerator g{Device{kHost}}, other{Device{kHost}};
  g.manual_seed(5);
  other.manual_seed(5);
  const PhiloxGenerator::Reservation r = g.Reserve(3);
  Draw(other, 12);
  EXPECT_EQ(r.seed, 5u);
  EXPECT_EQ(r.offset, 0u);
  EXPECT_EQ(Draw(g, 8), Draw(other, 8));
}

TEST(PhiloxTest, EachDrawStartsAtAFreshCounter) {
  PhiloxGenerator g{Device{kHost}};
  g.manual_seed(1);
  const std::vector<uint32_t> words = Draw(g, 8);
  g.manual_seed(1);
  Draw(g, 1);
  EXPECT_EQ(g.random(), words[4]);
}

TEST(PhiloxTest, TheStateRestoresTheStream) {
  PhiloxGenerator g{Device{kHost}};
  g.manual_seed(9);
  Draw(g, 5);
  const Tensor state = g.get_state();
  const std::vector<uint32_t> words = Draw(g, 6);
  g.manual_seed(10);
  g.set_state(state);
  EXPECT_EQ(Draw(g, 6), words);
  EXPECT_EQ(g.initial_seed(), 9u);
}

TEST(PhiloxTest, TheOffsetCountsWords) {
  PhiloxGenerator g{Device{kHost}};
  g.manual_seed(9);
  EXPECT_EQ(g.get_offset(), 0u);
  Draw(g, 5);
  EXPECT_EQ(g.get_offset(), 8u);
  const std::vector<uint32_t> words = Draw(g, 4);
  g.set_offset(8);
  EXPECT_EQ(Draw(g, 4), words);
  EXPECT_THROW(g.set_offset(7), Error);
}

TEST(GeneratorTest, ACloneDrawsTheSameNumbers) {
  Generator& g = DefaultGenerator({FindDeviceType("dice"), 1});
  Draw(g, 5);
  const std::unique_ptr<Generator> other = g.clone_state();
  EXPECT_EQ(other->device().str(), "dice:1");
  EXPECT_EQ(other->initial_seed(), g.initial_seed());
  const std::vector<uint32_t> words = Draw(*other, 6);
  EXPECT_EQ(Draw(g, 6), words);
}

TEST(GeneratorTest, AStateOfTheWrongSizeIsRefused) {
  PhiloxGenerator g{Device{kHost}};
  EXPECT_THROW(g.set_state(Tensor::Empty({15}, DType::kUInt8)), Error);
  EXPECT_THROW(g.set_state(Tensor::Empty({16}, DType::kInt8)), Error);
}

TEST(GeneratorTest, DevicesHaveTheirOwnDefaultGenerators) {
  const DeviceType type = FindDeviceType("dice");
  Generator &first = DefaultGenerator({type, 0}), &second = DefaultGenerator({type, 1});
  EXPECT_NE(&first, &second);
  EXPECT_EQ(&first, &DefaultGenerator({type, -1}));
  EXPECT_EQ(second.device().str(), "dice:1");
}

TEST(GeneratorTest, ManualSeedReachesGeneratorsMadeBeforeAndAfter) {
  const DeviceType type = FindDeviceType("dice");
  Generator& before = DefaultGenerator({type, 0});
  manual_seed(77);
  EXPECT_EQ(before.initial_seed(), 77u);
  EXPECT_EQ(DefaultGenerator({type, 1}).initial_seed(), 77u);
}

TEST(GeneratorTest, SeedingFromTheSystemGivesAnotherSeedEachTime) { EXPECT_NE(seed(), seed()); }

}  // namespace
}  // namespace sy
