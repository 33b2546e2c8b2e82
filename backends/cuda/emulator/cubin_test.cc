#include "backends/cuda/emulator/cubin.h"

#include <gtest/gtest.h>

#include "backends/cuda/rtc/compile.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// A kernel that keeps so many numbers in registers.
std::string KernelWith(int numbers) {
  return "#define N " + std::to_string(numbers) + R"(
struct Args { float* x; long long n; };
extern "C" __global__ void k(const __grid_constant__ Args args) {
  __shared__ float all[256];
  float s[N];
#pragma unroll
  for (int j = 0; j < N; ++j) s[j] = args.x[j];
  for (long long i = 0; i < args.n; ++i) {
#pragma unroll
    for (int j = 0; j < N; ++j) s[j] = s[j] * s[(j + 1) % N] + args.x[i];
  }
  all[threadIdx.x] = s[0];
  __syncthreads();
#pragma unroll
  for (int j = 0; j < N; ++j) args.x[j] = s[j] + all[255 - threadIdx.x];
})";
}

class CubinTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    std::string why;
    if (!HasNvrtc(&why)) GTEST_SKIP() << why;
  }
};
INSTANTIATE_TEST_SUITE_P(Architectures, CubinTest, testing::Values("sm_80", "sm_90", "sm_100"));

TEST_P(CubinTest, SaysRegistersArgumentsAndSharedMemory) {
  const KernelNeeds few = NeedsOf(CompileWithNvrtc({KernelWith(2), GetParam()}), "k");
  const KernelNeeds many = NeedsOf(CompileWithNvrtc({KernelWith(150), GetParam()}), "k");
  EXPECT_LT(few.registers, 64u);
  EXPECT_GT(many.registers, 150u);
  EXPECT_LE(many.registers, 255u);
  EXPECT_EQ(few.args_bytes, 16u);
  EXPECT_GE(few.shared_bytes, 1024u);  // beyond, what the system keeps for itself
  EXPECT_LE(few.shared_bytes, 2048u);
  EXPECT_TRUE(BlockFits(few, 1024));
  EXPECT_FALSE(BlockFits(many, 512));
}

TEST_P(CubinTest, SaysForHowManyThreadsItWasCompiledAndWhatLiesOnTheStack) {
  const KernelNeeds needs = NeedsOf(CompileWithNvrtc({R"(
struct Args { float* x; int at; };
extern "C" __global__ void __launch_bounds__(128) named(const __grid_constant__ Args args) {
  float s[40];
  for (int j = 0; j < 40; ++j) s[j] = args.x[j];
  for (int j = 0; j < 40; ++j) args.x[j] = s[(args.at * j) % 40];
})",
                                                      GetParam()}),
                                    "named");
  EXPECT_GE(needs.stack_bytes, 160u);
  EXPECT_EQ(needs.most_threads, 128u);
  EXPECT_TRUE(BlockFits(needs, 128));
  EXPECT_FALSE(BlockFits(needs, 129));
}

TEST(CubinTest, WarpsGetRegistersInUnitsOf256) {
  EXPECT_TRUE(BlockFits({.registers = 255}, 256));
  EXPECT_TRUE(BlockFits({.registers = 128}, 512));
  EXPECT_FALSE(BlockFits({.registers = 129}, 512));
  EXPECT_TRUE(BlockFits({.registers = 64}, 1024));
  EXPECT_FALSE(BlockFits({.registers = 65}, 1000));
}

TEST(CubinTest, OtherImagesAreRefused) {
  EXPECT_THROW(NeedsOf("no image", "k"), Error);
  EXPECT_THROW(NeedsOf(std::string(200, 'x'), "k"), Error);
}

}  // namespace
}  // namespace sy::cuda
