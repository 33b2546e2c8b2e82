// Kernels that are kept, and what becomes of those that are spoilt.

#include "backends/cuda/rtc/kernels.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "backends/cuda/emulator/emulator.h"
#include "backends/cuda/rtc/disk_cache.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

// The key that a file of the cache begins with: after eight bytes its length, and a checksum.
std::string KeyIn(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(file), {}};
  uint64_t size = 0;
  std::copy_n(all.data() + 8, sizeof size, reinterpret_cast<char*>(&size));
  return all.substr(24, size);
}

TEST(KernelsTest, AKeptImageThatTheDriverRefusesIsCompiledAnewOnce) {
  const fs::path folder = fs::path(testing::TempDir()) / "kept";
  setenv("SWITCHYARD_CUDA_CACHE", folder.c_str(), 1);
  EmulateCuda();
  const std::string text =
      "#include \"switchyard/backends/cuda/device/grid.h\"\nnamespace sy::cuda {\n"
      "SY_CUDA_KERNEL(Nothing, StartArgs, )\n}\n";
  DeviceState& device = DeviceState::Of(0);
  ImageOf({text, "sm_90"});
  const fs::path file = fs::directory_iterator(folder)->path();
  const std::string key = KeyIn(file);
  DiskCache(folder).Keep(key, "/no/image");  // with a checksum that is right
  ASSERT_EQ(ImageOf({text, "sm_90"}), "/no/image");
  static const char kKind = 0;
  EXPECT_NE(FindKernel(device, {&kKind, {}}, [&] { return text; }), nullptr);
  EXPECT_NE(ImageOf({text, "sm_90"}), "/no/image") << "and it is kept in its place";
}

// A program of its own, since the compiler is looked for once.
TEST(KernelsDeathTest, ACompilerThatIsNewerThanTheDriverIsRefused) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto look = [] {
    static DriverTable old = EmulatedDriver();
    old.DriverGetVersion = [](int* version) {
      *version = 12080;
      return CUDA_SUCCESS;
    };
    UseDriver(old);
    std::string why = "one of CUDA 12 was found";
    HasNvrtc(&why);
    std::fprintf(stderr, "%s\n", why.c_str());
    std::exit(0);
  };
  EXPECT_EXIT(
      look(), testing::ExitedWithCode(0),
      "one of CUDA 12 was found|is not installed|"
      "NVRTC 1[3-9].* compiles for newer drivers than the one that is installed, of CUDA 12: "
      "libnvrtc.so.12 is needed beside it; found was /");
}

}  // namespace
}  // namespace sy::cuda
