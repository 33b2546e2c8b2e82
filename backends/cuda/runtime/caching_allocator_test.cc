#include "backends/cuda/runtime/caching_allocator.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

using Block = CachingAllocator::Block;
constexpr size_t kMB = size_t{1} << 20;

// Host memory that stands for a device's; streams are marked by numbers that a test moves on.
class HostArena final : public Arena {
 public:
  void* Reserve(size_t bytes) override {
    if (used + bytes > total) return nullptr;
    used += bytes;
    void* p = std::aligned_alloc(4096, bytes);
    sizes[p] = bytes;
    return p;
  }
  void Release(void* p) noexcept override {
    used -= sizes[p];
    sizes.erase(p);
    std::free(p);
  }
  size_t FreeBytes() override { return total - used; }
  size_t TotalBytes() override { return total; }
  void* Mark(StreamHandle) override { return can_mark ? new bool(false) : nullptr; }
  bool Reached(void* mark, bool wait) override {
    waited |= wait && !done;
    if (!done && !wait) return false;
    delete static_cast<bool*>(mark);
    return true;
  }

  size_t total = 256 * kMB, used = 0;
  bool done = false, can_mark = true, waited = false;
  std::map<void*, size_t> sizes;
};

StreamHandle StreamNumber(uintptr_t n) { return reinterpret_cast<StreamHandle>(n); }

class CachingAllocatorTest : public ::testing::Test {
 protected:
  Block* Get(size_t bytes, uintptr_t stream = 1, uint64_t pool = 0) {
    return pool_.Allocate(bytes, StreamNumber(stream), pool);
  }
  HostArena arena_;
  CachingAllocator pool_{arena_, "toy:0"};
};

TEST_F(CachingAllocatorTest, FreedMemoryServesTheSameStreamAgain) {
  Block* a = Get(1000);
  void* data = CachingAllocator::DataOf(a);
  pool_.Free(a);
  Block* b = Get(1000);
  EXPECT_EQ(CachingAllocator::DataOf(b), data);
  pool_.Free(b);
}

TEST_F(CachingAllocatorTest, FreedMemoryDoesNotServeAnotherStream) {
  Block* a = Get(1000, 1);
  void* data = CachingAllocator::DataOf(a);
  pool_.Free(a);
  Block* b = Get(1000, 2);
  EXPECT_NE(CachingAllocator::DataOf(b), data);
  pool_.Free(b);
}

TEST_F(CachingAllocatorTest, BlocksAreAlignedAndApart) {
  Block* a = Get(1);
  Block* b = Get(513);
  const auto at = [](Block* x) { return reinterpret_cast<uintptr_t>(CachingAllocator::DataOf(x)); };
  EXPECT_EQ(at(a) % 512, 0u);
  EXPECT_EQ(at(b) - at(a), 512u);
  EXPECT_EQ(pool_.Stats().allocated_bytes, 512 + 1024);
  EXPECT_EQ(arena_.used, 2 * kMB);
  pool_.Free(a);
  pool_.Free(b);
}

TEST_F(CachingAllocatorTest, NeighboursMergeBeforeMoreIsTaken) {
  Block* a = Get(kMB);
  Block* b = Get(kMB / 2);
  Block* c = Get(kMB / 2);
  ASSERT_EQ(pool_.Snapshot().size(), 1u);
  for (Block* x : {b, a, c}) pool_.Free(x);
  Block* first = Get(kMB);
  Block* second = Get(kMB);
  EXPECT_EQ(pool_.Snapshot().size(), 1u);
  pool_.Free(first);
  pool_.Free(second);
}

TEST_F(CachingAllocatorTest, OfSeveralFreedLatelyEachServesAgain) {
  std::vector<Block*> blocks;
  std::set<void*> before, after;
  for (size_t i = 0; i < 100; ++i) blocks.push_back(Get(512 * (1 + i % 40)));
  for (Block* b : blocks) before.insert(CachingAllocator::DataOf(b));
  const int64_t reserved = pool_.Stats().reserved_bytes;
  for (Block* b : blocks) pool_.Free(b);
  blocks.clear();
  for (size_t i = 100; i-- > 0;) blocks.push_back(Get(512 * (1 + i % 40)));
  for (Block* b : blocks) after.insert(CachingAllocator::DataOf(b));
  EXPECT_EQ(after.size(), 100u);
  EXPECT_EQ(pool_.Stats().reserved_bytes, reserved);
  for (Block* b : blocks) pool_.Free(b);
}

TEST_F(CachingAllocatorTest, WithoutCachingEachBlockIsASegmentOfItsSize) {
  CachingAllocator plain(arena_, "toy:1");
  plain.SetCaching(false);
  Block* a = plain.Allocate(1000, StreamNumber(1), 0);
  EXPECT_EQ(arena_.used, 1000u);
  plain.Free(a);
  EXPECT_EQ(arena_.used, 0u);
  a = plain.Allocate(1000, StreamNumber(1), 7);
  plain.Free(a);
  EXPECT_EQ(arena_.used, 1000u) << "a graph may know it";
  plain.ReleasePool(7);
  EXPECT_EQ(arena_.used, 0u);
}

TEST_F(CachingAllocatorTest, MemoryThatAnotherStreamUsesWaitsForIt) {
  Block* a = Get(1000, 1);
  void* data = CachingAllocator::DataOf(a);
  pool_.RecordStream(a, StreamNumber(2));
  pool_.Free(a);
  Block* b = Get(1000, 1);
  EXPECT_NE(CachingAllocator::DataOf(b), data) << "stream 2 has not reached its mark";
  arena_.done = true;
  Block* c = Get(1000, 1);
  EXPECT_EQ(CachingAllocator::DataOf(c), data);
  pool_.Free(b);
  pool_.Free(c);
}

TEST_F(CachingAllocatorTest, MemoryWaitsForAMarkThatCannotBeSetYet) {
  Block* a = Get(1000, 1);
  void* data = CachingAllocator::DataOf(a);
  pool_.RecordStream(a, StreamNumber(2));
  arena_.can_mark = false;  // stream 2 is being captured
  arena_.done = true;
  pool_.Free(a);
  Block* b = Get(1000, 1);
  EXPECT_NE(CachingAllocator::DataOf(b), data);
  arena_.can_mark = true;
  Block* c = Get(1000, 1);
  EXPECT_EQ(CachingAllocator::DataOf(c), data);
  pool_.Free(b);
  pool_.Free(c);
}

TEST_F(CachingAllocatorTest, StatisticsCountWhatIsAliveAndItsPeak) {
  Block* a = Get(3 * kMB);
  Block* b = Get(5 * kMB);
  pool_.Free(a);
  MemoryStats s = pool_.Stats();
  EXPECT_EQ(s.allocated_bytes, static_cast<int64_t>(5 * kMB));
  EXPECT_EQ(s.peak_bytes, static_cast<int64_t>(8 * kMB));
  EXPECT_EQ(s.reserved_bytes, static_cast<int64_t>(32 * kMB));
  EXPECT_EQ(s.allocations, 2);
  EXPECT_EQ(s.frees, 1);
  pool_.ResetPeak();
  EXPECT_EQ(pool_.Stats().peak_bytes, static_cast<int64_t>(5 * kMB));
  pool_.Free(b);
}

TEST_F(CachingAllocatorTest, TrimGivesBackSegmentsWithoutABlockInUse) {
  Block* a = Get(100);
  Block* b = Get(40 * kMB);
  pool_.Free(b);
  pool_.Trim();
  EXPECT_EQ(arena_.used, 2 * kMB);
  pool_.Free(a);
  pool_.Trim();
  EXPECT_EQ(arena_.used, 0u);
  EXPECT_EQ(pool_.Stats().reserved_bytes, 0);
}

TEST_F(CachingAllocatorTest, KeptMemoryIsGivenBackBeforeARequestFails) {
  pool_.Free(Get(200 * kMB, 1));
  Block* b = Get(200 * kMB, 2);
  EXPECT_EQ(arena_.used, 200 * kMB);
  pool_.Free(b);
}

TEST_F(CachingAllocatorTest, MemoryInUseElsewhereIsWaitedForBeforeARequestFails) {
  Block* a = Get(200 * kMB, 1);
  pool_.RecordStream(a, StreamNumber(2));
  pool_.Free(a);
  Block* b = Get(200 * kMB, 1);
  EXPECT_TRUE(arena_.waited);
  pool_.Free(b);
}

TEST_F(CachingAllocatorTest, OutOfMemorySaysWhatIsAskedFreeAliveAndKept) {
  Block* a = Get(100 * kMB);
  Block* kept = Get(1000);
  Block* alive = Get(1000);
  pool_.Free(kept);
  try {
    Get(200 * kMB);
    FAIL() << "200 MB of 256 with 100 in use";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory);
    EXPECT_EQ(e.message(),
              "toy:0 is out of memory: asked for 209715200 bytes; the device has 161480704 of "
              "268435456 bytes free, this program 104858624 alive in 2 blocks and 2096128 kept for "
              "reuse");
  }
  pool_.Free(a);
  pool_.Free(alive);
}

TEST_F(CachingAllocatorTest, TheLimitHoldsAndIsNamed) {
  pool_.SetLimit(64 * kMB);
  Block* a = Get(40 * kMB);
  try {
    Get(40 * kMB);
    FAIL() << "80 MB with a limit of 64";
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("limited to 67108864"), std::string::npos) << e.message();
  }
  pool_.SetLimit(0);
  Block* b = Get(40 * kMB);
  pool_.Free(a);
  pool_.Free(b);
}

TEST_F(CachingAllocatorTest, SizesBeyondAddressesFailAsOutOfMemory) {
  EXPECT_THROW(Get(SIZE_MAX), Error);
}

TEST_F(CachingAllocatorTest, APrivatePoolIsApartUntilItIsReleased) {
  Block* a = Get(1000, 1, 7);
  Block* b = Get(1000, 1, 7);
  void* data = CachingAllocator::DataOf(a);
  pool_.Free(a);
  Block* c = Get(1000, 1, 0);
  EXPECT_NE(CachingAllocator::DataOf(c), data);
  pool_.Free(c);
  pool_.Free(b);
  pool_.Trim();
  EXPECT_EQ(pool_.Snapshot().size(), 1u) << "what a graph may know stays";
  Block* d = Get(1000, 1, 7);
  pool_.ReleasePool(7);
  EXPECT_EQ(pool_.Snapshot().size(), 1u) << "what is in use stays";
  pool_.Free(d);
  EXPECT_EQ(arena_.used, 0u);
}

TEST_F(CachingAllocatorTest, AnAddressFindsItsBlock) {
  Block* a = Get(1000);
  char* data = static_cast<char*>(CachingAllocator::DataOf(a));
  EXPECT_EQ(pool_.Find(data + 1023), a);
  EXPECT_NE(pool_.Find(data + 1024), a);
  EXPECT_EQ(pool_.Find(this), nullptr);
  pool_.Free(a);
}

TEST_F(CachingAllocatorTest, BlocksInUseNeverOverlap) {
  arena_.total = 4096 * kMB;
  arena_.done = true;
  std::mt19937 random(7);
  std::map<char*, std::pair<size_t, Block*>> alive;
  for (int i = 0; i < 3000; ++i) {
    if (alive.size() > 40 || (!alive.empty() && random() % 3 == 0)) {
      auto it = alive.begin();
      std::advance(it, random() % alive.size());
      if (random() % 4 == 0) pool_.RecordStream(it->second.second, StreamNumber(3));
      pool_.Free(it->second.second);
      alive.erase(it);
      continue;
    }
    const size_t bytes = size_t{1} << (random() % 24);
    Block* b = Get(bytes, 1 + random() % 2);
    char* data = static_cast<char*>(CachingAllocator::DataOf(b));
    const auto after = alive.lower_bound(data);
    if (after != alive.end()) {
      ASSERT_LE(data + bytes, after->first);
    }
    if (after != alive.begin()) {
      ASSERT_LE(std::prev(after)->first + std::prev(after)->second.first, data);
    }
    alive[data] = {bytes, b};
  }
  for (const auto& [data, block] : alive) pool_.Free(block.second);
  pool_.Trim();
  EXPECT_EQ(arena_.used, 0u);
  EXPECT_EQ(pool_.Stats().allocated_bytes, 0);
}

}  // namespace
}  // namespace sy::cuda
