#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>
#include <vector>

#include "switchyard/core/allocator.h"
#include "switchyard/core/macros.h"
#include "switchyard/core/pool.h"
#include "switchyard/core/tensor.h"

namespace sy {
namespace {

constexpr size_t kMegabyte = 1 << 20;

int64_t Held() {
  const MemoryStats s = HostAllocator()->Stats(0);
  return s.reserved_bytes - s.allocated_bytes;
}

class HostAllocatorTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (SY_SANITIZED) GTEST_SKIP() << "every block comes from malloc";
    HostAllocator()->Trim();
  }
  void TearDown() override { HostAllocator()->Trim(); }
  Allocation Allocate(size_t bytes, size_t alignment = 64) {
    const Allocation a = HostAllocator()->Allocate({.bytes = bytes, .alignment = alignment});
    std::memset(a.data, 1, bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(a.data) % alignment, 0u);
    return a;
  }
};

TEST_F(HostAllocatorTest, LargeBlocksAreUsedAgain) {
  const Allocation a = Allocate(9 * kMegabyte);
  HostAllocator()->Free(a, 9 * kMegabyte);
  EXPECT_GE(Held(), static_cast<int64_t>(9 * kMegabyte));
  const Allocation b = Allocate(9 * kMegabyte - 100);  // rounded up alike
  EXPECT_EQ(a.data, b.data);
  EXPECT_EQ(Held(), 0);
  HostAllocator()->Free(b, 9 * kMegabyte - 100);
}

TEST_F(HostAllocatorTest, MediumBlocksAreUsedAgain) {
  const Allocation a = Allocate(400000), b = Allocate(400000);
  HostAllocator()->Free(a, 400000);
  HostAllocator()->Free(b, 400000);
  const Allocation c = Allocate(400000), d = Allocate(400000);
  EXPECT_EQ(c.data, b.data);
  EXPECT_EQ(d.data, a.data);
  HostAllocator()->Free(c, 400000);
  HostAllocator()->Free(d, 400000);
}

TEST_F(HostAllocatorTest, SomeMediumBlocksAreHeld) {
  const size_t bytes = 512 << 10;
  std::vector<Allocation> alive(128);  // 64 MB
  for (Allocation& a : alive) a = Allocate(bytes);
  for (const Allocation& a : alive) HostAllocator()->Free(a, bytes);
  EXPECT_EQ(Held(), static_cast<int64_t>(32 * kMegabyte));
}

TEST_F(HostAllocatorTest, TrimGivesThemBack) {
  HostAllocator()->Free(Allocate(3 * kMegabyte), 3 * kMegabyte);
  HostAllocator()->Free(Allocate(kMegabyte / 3), kMegabyte / 3);
  HostAllocator()->Trim();
  EXPECT_EQ(Held(), 0);
}

TEST_F(HostAllocatorTest, NoMoreIsHeldThanWasOnceAlive) {
  const size_t most = 64 * kMegabyte;
  HostAllocator()->Free(Allocate(most), most);
  for (size_t bytes = 2 * kMegabyte; bytes < most; bytes += 3 * kMegabyte) {
    const Allocation a = Allocate(bytes);
    EXPECT_LE(Held() + static_cast<int64_t>(bytes), static_cast<int64_t>(most + most / 8));
    HostAllocator()->Free(a, bytes);
  }
}

TEST_F(HostAllocatorTest, SizesThatTakeTurnsStay) {
  const size_t sizes[] = {8 * kMegabyte, 5 * kMegabyte, 3 * kMegabyte};
  HostAllocator()->Free(Allocate(64 * kMegabyte), 64 * kMegabyte);
  const auto round = [&] {
    std::set<void*> seen;
    for (const size_t bytes : sizes) {
      const Allocation a = Allocate(bytes), b = Allocate(bytes);
      seen.insert({a.data, b.data});
      HostAllocator()->Free(a, bytes);
      HostAllocator()->Free(b, bytes);
    }
    return seen;
  };
  round();  // the block of 64 MB goes, and nothing else
  EXPECT_EQ(round(), round());
}

// What a thread has freed is there for others when it ends, also where it has done nothing else.
TEST(PoolTest, ThreadsThatOnlyFreeKeepNothing) {
  if (SY_SANITIZED) GTEST_SKIP() << "under a sanitizer every block comes from malloc";
  // Blocks of tensors alone, and fewer than a thread keeps: those beyond, and storage of its own,
  // are counted, by which a thread is known.
  constexpr size_t kAlive = 200, kRounds = 100;
  static_assert(kAlive < kPoolKeep[0]);
  std::set<const void*> seen;
  for (size_t round = 0; round < kRounds; ++round) {
    std::vector<Tensor> kept;
    while (kept.size() < kAlive) {
      kept.push_back(Tensor::Empty({2}, DType::kFloat32));
      seen.insert(kept.back().impl());
    }
    std::thread([&] { kept.clear(); }).join();
  }
  EXPECT_LT(seen.size(), 3 * kAlive);  // kRounds * kAlive where they are lost
}

TEST_F(HostAllocatorTest, AskedForMoreAlignmentTheyAreTheSystems) {
  const Allocation a = Allocate(2 * kMegabyte, 4096);
  HostAllocator()->Free(a, 2 * kMegabyte);
  EXPECT_EQ(Held(), 0);
}

}  // namespace
}  // namespace sy
