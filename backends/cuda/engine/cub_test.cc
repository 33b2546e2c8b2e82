// What is made of CUB's headers compiles; it runs on a device alone (sort_test).

#include "backends/cuda/driver/library.h"
#include "backends/cuda/emulator/cubin.h"
#include "backends/cuda/engine/specialised.h"
#include "backends/cuda/plan/kernel_source.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/testing.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {
namespace {

TEST(CubTest, BlocksThatSortFitAMultiprocessor) {
  std::string why;
  if (!HasNvrtc(&why)) GTEST_SKIP() << why;
  if (FindCub().folders.empty()) GTEST_SKIP() << "CUB's headers are not installed";
  for (DType d : {DType::kUInt8, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    const int threads = d == DType::kFloat64 ? 256 : 512;
    const Specialised kernel = Specialised("cub_sort", "SortArgs", "CubSortRows")
                                   .Element(d)
                                   .Flag(false)
                                   .Number(threads)
                                   .Number(8);
    const std::string cubin = CompileWithNvrtc({kernel.Text(), "sm_90"});
    const KernelNeeds needs = NeedsOf(cubin, "CubSortRowsKernel");
    EXPECT_TRUE(BlockFits(needs, static_cast<unsigned>(threads))) << Name(d);
    EXPECT_LE(needs.shared_bytes, 48u << 10) << Name(d);
    EXPECT_EQ(needs.stack_bytes, 0u) << Name(d);
  }
}

TEST(CubTest, LinesAreScanned) {
  std::string why;
  if (!HasNvrtc(&why)) GTEST_SKIP() << why;
  if (FindCub().folders.empty()) GTEST_SKIP() << "CUB's headers are not installed";
  for (const char* scan : {"Cumulative<float, f::Add>", "RunningExtreme<float, false>"}) {
    const std::string source =
        KernelSource("cub_lines", "ScanLineArgs",
                     fmt::format("Scan<{}, float, float, false, 256, 4, 4>(args)", scan), {256, 3});
    const KernelNeeds needs = NeedsOf(CompileWithNvrtc({source, "sm_90"}), "ScanKernel");
    EXPECT_TRUE(BlockFits(needs, 256)) << scan;
    EXPECT_EQ(needs.stack_bytes, 0u) << scan;
  }
}

}  // namespace
}  // namespace sy::cuda
