#include "backends/cuda/runtime/caching_allocator.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
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

// --- Segments that grow

// Addresses that nobody touches; memory is a set of pieces.
class GrowingArena final : public Arena {
 public:
  static constexpr size_t kPiece = 32 * kMB;
  void* Reserve(size_t bytes) override {
    if (used + bytes > total) return nullptr;
    used += bytes;
    ++segments;
    void* p = std::aligned_alloc(4096, bytes);
    sizes[p] = bytes;
    return p;
  }
  void Release(void* p) noexcept override {
    used -= sizes[p];
    --segments;
    std::free(p);
  }
  size_t FreeBytes() override { return total - used; }
  size_t TotalBytes() override { return total; }
  void* Mark(StreamHandle) override { return new bool; }
  bool Reached(void* mark, bool) override {
    delete static_cast<bool*>(mark);
    return true;
  }
  size_t Granule() override { return kPiece; }
  void* ReserveAddresses(size_t bytes) override {
    EXPECT_EQ(bytes % kPiece, 0u);
    if (!has_addresses) return nullptr;
    next += size_t{1} << 40;
    ++ranges;
    return reinterpret_cast<void*>(next);
  }
  void ReleaseAddresses(void*, size_t) noexcept override { --ranges; }
  bool Put(void* data, size_t bytes) override {
    EXPECT_EQ(bytes % kPiece, 0u);
    if (used + bytes > total) return false;
    used += bytes;
    for (size_t at = 0; at < bytes; at += kPiece)
      EXPECT_TRUE(pieces.insert(static_cast<char*>(data) + at).second);
    return true;
  }
  bool Take(void* data, size_t bytes) noexcept override {
    EXPECT_EQ(bytes % kPiece, 0u);
    if (!can_wait) return false;
    used -= bytes;
    for (size_t at = 0; at < bytes; at += kPiece)
      EXPECT_EQ(pieces.erase(static_cast<char*>(data) + at), 1u);
    return true;
  }

  size_t total = 320 * kMB, used = 0;
  uintptr_t next = 0;
  int segments = 0, ranges = 0;
  bool can_wait = true, has_addresses = true;
  std::set<void*> pieces;
  std::map<void*, size_t> sizes;
};

class GrowingSegmentsTest : public ::testing::Test {
 protected:
  GrowingSegmentsTest() { pool_->SetGrowing(true); }
  Block* Get(size_t bytes, uintptr_t stream = 1, uint64_t pool = 0) {
    return pool_->Allocate(bytes, StreamNumber(stream), pool);
  }
  GrowingArena arena_;
  std::unique_ptr<CachingAllocator> pool_ = std::make_unique<CachingAllocator>(arena_, "toy:0");
};

TEST_F(GrowingSegmentsTest, SizesThatGrowLeaveNoHoles) {
  // In segments of their own these would hold 60 + 120 + 180 MiB.
  for (size_t mb : {60, 120, 180, 300}) {
    Block* a = Get(mb * kMB);
    pool_->Free(a);
  }
  EXPECT_EQ(pool_->Stats().reserved_bytes, static_cast<int64_t>(320 * kMB));
  EXPECT_EQ(pool_->Snapshot().size(), 1u);
  EXPECT_EQ(arena_.segments, 0);
}

TEST_F(GrowingSegmentsTest, BlocksLieOneBehindTheOther) {
  Block *a = Get(40 * kMB), *b = Get(50 * kMB);
  const char* first = static_cast<const char*>(CachingAllocator::DataOf(a));
  EXPECT_EQ(CachingAllocator::DataOf(b), first + 40 * kMB);
  EXPECT_EQ(arena_.used, 96 * kMB) << "what a left of its piece is b's";
  pool_->Free(a);
  pool_->Free(b);
}

TEST_F(GrowingSegmentsTest, SmallBlocksAndStreamsHaveMemoryOfTheirOwn) {
  Block *small = Get(100), *here = Get(40 * kMB, 1), *there = Get(40 * kMB, 2);
  EXPECT_EQ(arena_.segments, 1);
  EXPECT_EQ(arena_.ranges, 2);
  for (Block* b : {small, here, there}) pool_->Free(b);
}

TEST_F(GrowingSegmentsTest, WhatIsFreeAtTheEndIsGivenBackInWholePieces) {
  Block *a = Get(40 * kMB), *b = Get(100 * kMB);
  pool_->Free(b);
  pool_->Trim();
  EXPECT_EQ(arena_.used, 64 * kMB) << "a ends within the second piece";
  EXPECT_EQ(pool_->Stats().reserved_bytes, static_cast<int64_t>(64 * kMB));
  pool_->Free(a);
  pool_->Trim();
  EXPECT_EQ(arena_.used, 0u);
  EXPECT_TRUE(pool_->Snapshot().empty());
  Block* c = Get(70 * kMB);  // and it grows again
  EXPECT_EQ(arena_.used, 96 * kMB);
  pool_->Free(c);
}

TEST_F(GrowingSegmentsTest, WhatCannotBeWaitedForStays) {
  Block* a = Get(40 * kMB);
  pool_->Free(a);
  arena_.can_wait = false;
  pool_->Trim();
  EXPECT_EQ(arena_.used, 64 * kMB);
  arena_.can_wait = true;
  Block* b = Get(60 * kMB);
  EXPECT_EQ(arena_.used, 64 * kMB);
  pool_->Free(b);
}

TEST_F(GrowingSegmentsTest, APrivatePoolIsGivenBackWhenItGoes) {
  Block* a = Get(40 * kMB, 1, 7);
  pool_->ReleasePool(7);
  EXPECT_EQ(arena_.used, 64 * kMB) << "it is in use";
  pool_->Free(a);
  EXPECT_EQ(arena_.used, 0u);
}

TEST_F(GrowingSegmentsTest, OneThatIsFullSaysSo) {
  Block* a = Get(300 * kMB);
  EXPECT_THROW(Get(40 * kMB), Error);
  pool_->SetLimit(340 * kMB);
  EXPECT_THROW(Get(20 * kMB, 2), Error);
  pool_->Free(a);
}

TEST_F(GrowingSegmentsTest, WithoutAddressesSegmentsAreAsManyAsBlocks) {
  arena_.has_addresses = false;
  Block *a = Get(40 * kMB), *b = Get(50 * kMB);
  EXPECT_EQ(arena_.segments, 2);
  pool_->Free(a);
  pool_->Trim();
  EXPECT_EQ(arena_.segments, 1);
  arena_.has_addresses = true;
  Block* c = Get(60 * kMB);  // asked for again
  EXPECT_EQ(arena_.ranges, 1);
  for (Block* block : {b, c}) pool_->Free(block);
  pool_.reset();
  EXPECT_EQ(arena_.segments, 0);
  EXPECT_EQ(arena_.used, 0u);
}

TEST_F(GrowingSegmentsTest, EverythingIsGivenBackInTheEnd) {
  std::mt19937 random(3);
  std::vector<Block*> alive;
  for (int i = 0; i < 2000; ++i) {
    if (!alive.empty() && (random() % 2 == 0 || arena_.used > 200 * kMB)) {
      std::swap(alive[random() % alive.size()], alive.back());
      pool_->Free(alive.back());
      alive.pop_back();
    } else {
      alive.push_back(Get((1 + random() % 24) * kMB + random() % 1000, 1 + random() % 2));
    }
    if (i % 300 == 0) pool_->Trim();
  }
  // No two blocks that are alive lie on each other.
  for (const MemorySegment& s : pool_->Snapshot()) {
    size_t bytes = 0;
    for (const MemoryBlock& b : s.blocks) bytes += b.bytes;
    EXPECT_EQ(bytes, s.bytes);
  }
  for (Block* b : alive) pool_->Free(b);
  pool_->Trim();
  EXPECT_EQ(arena_.used, 0u);
  pool_.reset();
  EXPECT_EQ(arena_.ranges, 0);
  EXPECT_TRUE(arena_.pieces.empty());
}

// --- Who watches

TEST_F(CachingAllocatorTest, AnObserverIsToldEverything) {
  struct Recorder final : MemoryObserver {
    void Note(MemoryEvent::Kind kind, const void*, size_t bytes,
              StreamHandle stream) noexcept override {
      events.emplace_back(kind, bytes);
      EXPECT_EQ(stream, StreamNumber(1));
    }
    std::vector<std::pair<MemoryEvent::Kind, size_t>> events;
  } recorder;
  pool_.SetObserver(&recorder);
  Block* a = Get(1000);
  pool_.Free(a);
  pool_.Trim();
  EXPECT_THROW(Get(size_t{1} << 40), Error);
  pool_.SetObserver(nullptr);
  pool_.Free(Get(1000));
  EXPECT_EQ(recorder.events, (std::vector<std::pair<MemoryEvent::Kind, size_t>>{
                                 {MemoryEvent::kReserved, 2 * kMB},
                                 {MemoryEvent::kAllocated, 1024},
                                 {MemoryEvent::kFreed, 1024},
                                 {MemoryEvent::kReleased, 2 * kMB},
                                 {MemoryEvent::kOutOfMemory, size_t{1} << 40}}));
}

}  // namespace
}  // namespace sy::cuda
