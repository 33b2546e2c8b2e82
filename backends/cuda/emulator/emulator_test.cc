// What the emulator finds that a device would leave to chance.

#include "backends/cuda/emulator/emulator.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/cuda/properties.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/runtime/device_state.h"

namespace sy::cuda {
namespace {

constexpr const char* kHead = R"(
#include "switchyard/backends/cuda/device/block.h"
namespace sy::cuda {
struct TestArgs { unsigned* out; };
)";

// Runs a body for one block; what it leaves in `out`, a word a thread.
std::vector<unsigned> RunBlock(const std::string& body, unsigned threads) {
  [[maybe_unused]] static const bool emulated = (EmulateCuda(), true);
  DeviceState& device = DeviceState::Of(0);
  const InUse on = device.Use();
  const std::string image =
      Compile({kHead + ("SY_CUDA_KERNEL(k, TestArgs, {" + body + "})\n}\n"), "sm_90"});
  CUmodule module;
  CUfunction kernel;
  CUdeviceptr out;
  CUstream stream;
  Check(Driver().ModuleLoadData(&module, image.data()), "a module");
  Check(Driver().ModuleGetFunction(&kernel, module, "k"), "a kernel");
  Check(Driver().MemAlloc(&out, threads * sizeof(unsigned)), "memory");
  Check(Driver().StreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, 0), "a stream");
  void* params[] = {&out};
  Check(Driver().LaunchKernel(kernel, 1, 1, 1, threads, 1, 1, 0, stream, params, nullptr),
        "a launch");
  std::vector<unsigned> words(threads);
  Check(Driver().MemcpyAsync(reinterpret_cast<CUdeviceptr>(words.data()), out,
                             threads * sizeof(unsigned), stream),
        "a copy");
  Check(Driver().StreamSynchronize(stream), "waiting");
  Check(Driver().MemFree(out), "memory");
  return words;
}

TEST(EmulatorTest, SharedMemoryBeginsWithGarbage) {
  const auto words = RunBlock(R"(
    __shared__ unsigned s[64];
    args.out[threadIdx.x] = s[threadIdx.x];
    __syncthreads();
    s[threadIdx.x] = 5;)",
                              64);
  for (unsigned w : words) EXPECT_EQ(w, 0xffffffffu);
}

TEST(EmulatorTest, ThreadsMeetAtOneBarrier) {
  const auto words = RunBlock(R"(
    __shared__ unsigned s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    args.out[threadIdx.x] = s[63 - threadIdx.x];)",
                              64);
  for (unsigned i = 0; i < 64; ++i) EXPECT_EQ(words[i], 63 - i);
}

TEST(EmulatorDeathTest, BarriersThatDoNotMatchAreFound) {
  EXPECT_DEATH(RunBlock(R"(
    if (threadIdx.x < 32) {
      __syncthreads();
    } else {
      __syncthreads();
    })",
                        64),
               "threads of a block wait at different barriers: .*:[0-9]+ and .*:[0-9]+");
}

TEST(EmulatorDeathTest, ABarrierThatSomeNeverReachIsFound) {
  EXPECT_DEATH(RunBlock("if (threadIdx.x != 3) __syncthreads();", 64),
               "threads wait for others that never get there");
}

TEST(EmulatorTest, LanesOutsideAMaskAreNeitherWaitedForNorHeard) {
  const auto words = RunBlock(R"(
    const unsigned lane = threadIdx.x;
    if (lane < 16) {  // the others are elsewhere
      const unsigned sum = __ballot_sync(0xffffu, lane % 2 == 0);
      const unsigned heard = __shfl_sync(0xffffu, lane, 3);
      const unsigned unheard = __shfl_sync(0xffffu, lane, 20);
      args.out[lane] = sum + heard + (unheard == 0xffffffffu ? 0 : 1000000);
    } else {
      args.out[lane] = __shfl_sync(0xffff0000u, lane, 31);
    })",
                              32);
  for (unsigned i = 0; i < 32; ++i) EXPECT_EQ(words[i], i < 16 ? 0x5555u + 3 : 31u) << i;
}

TEST(EmulatorDeathTest, ALaneThatItsMaskDoesNotNameIsFound) {
  EXPECT_DEATH(RunBlock("args.out[threadIdx.x] = __shfl_sync(0xfffeu, 1u, 2);", 16),
               "lane 0 calls a \\*_sync function whose mask does not name it");
}

TEST(EmulatorDeathTest, AMaskOfLanesThatNeverComeIsFound) {
  EXPECT_DEATH(
      RunBlock("if (threadIdx.x != 5) args.out[threadIdx.x] = __ballot_sync(~0u, true);", 32),
      "threads wait for others that never get there");
}

TEST(EmulatorDeathTest, AGpuThatIsAskedForAndMissingIsStatus3) {
  if (FindDriver() != nullptr) GTEST_SKIP() << "there is a driver, or the emulator in its place";
  EXPECT_EXIT(
      {
        setenv("SWITCHYARD_REQUIRE_GPU", "1", 1);
        UseDeviceOrEmulator();
      },
      testing::ExitedWithCode(3), "SWITCHYARD_REQUIRE_GPU is 1 and there is no GPU: ");
}

TEST(EmulatorDeathTest, ItHasAsManyProcessorsAsAnH200OrAsTheEnvironmentSays) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto processors = [](const char* given) {
    if (given != nullptr) setenv("SWITCHYARD_EMULATOR_PROCESSORS", given, 1);
    if (given == nullptr) unsetenv("SWITCHYARD_EMULATOR_PROCESSORS");
    EmulateCuda();
    std::exit(GetProperties(0).multiprocessors);
  };
  EXPECT_EXIT(processors(nullptr), testing::ExitedWithCode(132), "");
  EXPECT_EXIT(processors("2"), testing::ExitedWithCode(2), "");
}

}  // namespace
}  // namespace sy::cuda
