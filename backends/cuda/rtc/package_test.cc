// Kernels compiled ahead: which are used, which are refused, and what is done without.

#include "backends/cuda/rtc/package.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backends/cuda/emulator/emulator.h"
#include "backends/cuda/rtc/compile.h"
#include "backends/cuda/rtc/kernels.h"
#include "backends/cuda/runtime/device_state.h"
#include "switchyard/backends/cuda/formula.h"

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

constexpr int kCuda12 = 12080, kCuda13 = 13000;
const PackageContents kUsual{"", 0, {"sm_80", "sm_89", "sm_90", "sm_100", "compute_100"}};

std::string Chosen(const PackageContents& contents, const Served& device, int compiler = kCuda13) {
  std::string why;
  return ArchitectureIn(contents, compiler, device, &why).value_or(why);
}

TEST(PackageTest, ADeviceGetsItsOwnCodeOrAnOlderOfItsGeneration) {
  EXPECT_EQ(Chosen(kUsual, {9, 0, kCuda13}), "sm_90");
  EXPECT_EQ(Chosen(kUsual, {8, 9, kCuda13}), "sm_89");
  EXPECT_EQ(Chosen(kUsual, {8, 6, kCuda13}), "sm_80");
  EXPECT_EQ(Chosen(kUsual, {10, 3, kCuda13}), "sm_100");
}
TEST(PackageTest, ANewerDeviceGetsPtxAndAnOlderOneNothing) {
  EXPECT_EQ(Chosen(kUsual, {12, 0, kCuda13}), "compute_100");
  EXPECT_EQ(Chosen(kUsual, {7, 5, kCuda13}),
            "it has kernels for sm_80, sm_89, sm_90, sm_100, compute_100, and none for compute "
            "capability 7.5");
}
TEST(PackageTest, ADriverServesCodeOfItsMajorVersionAndPtxOfItsOwn) {
  EXPECT_EQ(Chosen(kUsual, {9, 0, kCuda12}),
            "its kernels were compiled by CUDA 13.0, for a driver of 13; the driver is of 12.8");
  EXPECT_EQ(Chosen(kUsual, {9, 0, kCuda13}, 13010), "sm_90");
  EXPECT_EQ(Chosen(kUsual, {12, 0, kCuda13}, 13010),
            "its kernels were compiled by CUDA 13.1, for a driver of 13.1; the driver is of 13.0");
  EXPECT_EQ(Chosen(kUsual, {9, 0, kCuda13}, kCuda12), "sm_90");
}
TEST(PackageTest, WordsThatAreNoArchitectureAreNone) {
  const PackageContents odd{"", 0, {"sm_", "sm_9x", "90", "compute_", "sm_99999999999999999999"}};
  EXPECT_NE(Chosen(odd, {9, 0, kCuda13}).find("and none for"), std::string::npos);
}

// A source that does nothing, under a name of its own.
std::string TextOf(int number) {
  return "#include \"switchyard/backends/cuda/device/grid.h\"\nnamespace sy::cuda {\n"
         "SY_CUDA_KERNEL(Number" +
         std::to_string(number) + ", StartArgs, )\n}\n";
}

int compiled = 0;
std::string Count(const Source& source) {
  ++compiled;
  return CompileForEmulator(source);
}

class EmulatedPackageTest : public testing::Test {
 protected:
  void SetUp() override {
    EmulateCuda();
    UseCompiler(Count);
    folder_ = fs::path(testing::TempDir()) / "packages" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  PackageContents Ours() const { return {CompilerIdentity(), OwnHeaders(), {"sm_90"}}; }
  bool Put(const std::string& text, const std::string& image) const {
    return DiskCache(folder_ / "sm_90", Readers::kAll)
        .Keep(ImageKey(CompilerIdentity(), {text, "sm_90"}), image);
  }
  std::optional<Package> Opened(std::string* why) const {
    return Package::For(folder_, {9, 0, kCuda13}, why);
  }
  std::string WhyNot() const {
    std::string why;
    EXPECT_FALSE(Opened(&why).has_value());
    return why;
  }
  fs::path folder_;
};

TEST_F(EmulatedPackageTest, WhatIsWrittenIsReadByAnyUser) {
  WriteContents(folder_, Ours());
  ASSERT_TRUE(Put(TextOf(1), "an image"));
  std::string why;
  EXPECT_EQ(ReadContents(folder_, &why), Ours());
  const auto mode = [](const fs::path& path) {
    struct stat status {};
    stat(path.c_str(), &status);
    return status.st_mode & 0777;
  };
  EXPECT_EQ(mode(folder_ / "contents.txt"), 0644);
  EXPECT_EQ(mode(fs::directory_iterator(folder_ / "sm_90")->path()), 0644);
  const std::optional<Package> package = Opened(&why);
  ASSERT_TRUE(package.has_value()) << why;
  EXPECT_EQ(package->architecture(), "sm_90");
  EXPECT_EQ(package->Find(TextOf(1)), "an image");
  EXPECT_EQ(package->Find(TextOf(2)), std::nullopt);
}
TEST_F(EmulatedPackageTest, WhatDoesNotFitIsRefusedAndSaysWhy) {
  EXPECT_NE(WhyNot().find("cannot be read"), std::string::npos);
  PackageContents contents = Ours();
  contents.headers ^= 1;
  WriteContents(folder_, contents);
  EXPECT_EQ(WhyNot(), "its kernels are those of another version of this library");
  contents = Ours();
  contents.compiler += " -O1";
  WriteContents(folder_, contents);
  EXPECT_EQ(WhyNot(), "its kernels were compiled by another compiler or with other options: '" +
                          contents.compiler + "'");
  std::ofstream(folder_ / "contents.txt") << "switchyard kernels 2\n";
  EXPECT_NE(WhyNot().find("is not of this format"), std::string::npos);
  WriteContents(folder_, Ours());
  chmod((folder_ / "contents.txt").c_str(), 0666);
  EXPECT_NE(WhyNot().find("others may write it"), std::string::npos);
  std::string why;
  EXPECT_FALSE(Package::For("packages", {9, 0, kCuda13}, &why).has_value());
  EXPECT_EQ(why, "it is not an absolute path");
}
TEST_F(EmulatedPackageTest, TheCompilersVersionMayDiffer) {
  UseCompiler(nullptr);  // NVRTC, whose options are compared whether it is there or not
  int version = 0;
  EXPECT_FALSE(IsAsOurs("NVRTC 13.0 -std=c++17", &version));
  EXPECT_FALSE(IsAsOurs("another compiler", &version));
  EXPECT_EQ(version, 0);
  std::string why;
  if (!HasNvrtc(&why)) GTEST_SKIP() << why;
  const std::string ours = CompilerIdentity(), options = ours.substr(ours.find(" -"));
  EXPECT_TRUE(IsAsOurs("NVRTC 12.4" + options, &version));
  EXPECT_EQ(version, 12040);
}
TEST_F(EmulatedPackageTest, HeadersOfOthersCountForSourcesThatIncludeThem) {
  const std::string text = TextOf(1);
  const uint64_t own = HeadersOf(text);
  EXPECT_EQ(own, OwnHeaders());
  static const HeaderText header("others/header_of_package_test.h", "// a header");
  EXPECT_EQ(HeadersOf(text), own);
  EXPECT_NE(HeadersOf("#include \"others/header_of_package_test.h\"\n" + text), own);
}
TEST_F(EmulatedPackageTest, AKeySaysItsSource) {
  const std::optional<KeptSource> kept =
      SourceOfKey(ImageKey(CompilerIdentity(), {TextOf(1), "sm_90"}));
  ASSERT_TRUE(kept.has_value());
  EXPECT_EQ(kept->headers, OwnHeaders());
  EXPECT_EQ(kept->source.architecture, "sm_90");
  EXPECT_EQ(kept->source.text, TextOf(1));
  EXPECT_FALSE(SourceOfKey("a key").has_value());
}

// A package is looked for once, so that each of these is a program of its own.
class PackageDeathTest : public EmulatedPackageTest {
 protected:
  void SetUp() override {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    EmulatedPackageTest::SetUp();
  }
  // Loads kernel 1, and ends with how many were compiled for that.
  [[noreturn]] void LoadAndExit() const {
    setenv("SWITCHYARD_CUDA_PACKAGE", folder_.c_str(), 1);
    static const char kKind = 0;
    compiled = 0;
    DeviceState& device = DeviceState::Of(0);
    if (FindKernel(device, {&kKind, {}}, [] { return TextOf(1); }) == nullptr) std::exit(99);
    std::exit(compiled);
  }
};

TEST_F(PackageDeathTest, AKernelThatWasCompiledAheadIsNotCompiled) {
  EXPECT_EXIT(
      {
        WriteContents(folder_, Ours());
        Put(TextOf(1), CompileForEmulator({TextOf(1), "sm_90"}));
        LoadAndExit();
      },
      testing::ExitedWithCode(0), "");
}
TEST_F(PackageDeathTest, OneThatIsMissingIsCompiled) {
  EXPECT_EXIT(
      {
        WriteContents(folder_, Ours());
        Put(TextOf(2), "another kernel");
        LoadAndExit();
      },
      testing::ExitedWithCode(1), "");
}
TEST_F(PackageDeathTest, OneThatTheDriverRefusesIsCompiledAndSaid) {
  EXPECT_EXIT(
      {
        WriteContents(folder_, Ours());
        Put(TextOf(1), "no image at all");
        LoadAndExit();
      },
      testing::ExitedWithCode(1), "the driver refuses Number1 of '.*/sm_90', and it is compiled");
}
TEST_F(PackageDeathTest, APackageThatDoesNotFitIsSaidAndEverythingCompiled) {
  EXPECT_EXIT(
      {
        PackageContents contents = Ours();
        contents.architectures = {"sm_100"};
        WriteContents(folder_, contents);
        LoadAndExit();
      },
      testing::ExitedWithCode(1),
      "kernels compiled ahead, in '.*', are not used: it has kernels for sm_100, and none for "
      "compute capability 9.0");
}
TEST_F(PackageDeathTest, OneBesideTheProgramIsFound) {
  std::error_code failed;
  const fs::path beside =
      fs::read_symlink("/proc/self/exe", failed).parent_path() / "switchyard-kernels";
  const bool there = fs::create_directory(beside, failed);
  if (!there) GTEST_SKIP() << "nothing can be put beside the test: " << failed.message();
  EXPECT_EXIT(
      {
        unsetenv("SWITCHYARD_CUDA_PACKAGE");
        std::exit(Package::DefaultFolder() == beside ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  fs::remove(beside, failed);
}
TEST_F(PackageDeathTest, AnEmptyVariableSaysThatThereIsNone) {
  EXPECT_EXIT(
      {
        setenv("SWITCHYARD_CUDA_PACKAGE", "", 1);
        std::exit(Package::DefaultFolder().empty() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sy::cuda
