#include "backends/cuda/driver/library.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

TEST(LibraryTest, ADriverOfCuda12GetsLibrariesOfCuda12) {
  EXPECT_EQ(FilesOf(Lib::kNvrtc, 12), (Names{"libnvrtc.so.12", "libnvrtc.so"}));
  EXPECT_EQ(FilesOf(Lib::kCusolver, 12), (Names{"libcusolver.so.11", "libcusolver.so"}));
}

TEST(LibraryTest, ANewerDriverServesOlderLibrariesToo) {
  EXPECT_EQ(FilesOf(Lib::kCublasLt, 13),
            (Names{"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"}));
  EXPECT_EQ(FilesOf(Lib::kCufft, 14), (Names{"libcufft.so.12", "libcufft.so.11", "libcufft.so"}));
  EXPECT_EQ(FilesOf(Lib::kCudnn, 13), (Names{"libcudnn.so.9", "libcudnn.so"}));
}

TEST(LibraryTest, PythonsPackagesAreLookedThrough) {
  const fs::path packages = fs::path(testing::TempDir()) / "site-packages";
  for (const char* folder : {"nvidia/cublas/lib", "nvidia/cu13/lib", "nvidia/empty", "other/lib"})
    fs::create_directories(packages / folder);
  EXPECT_EQ(PackagedFolders(packages), (Names{(packages / "nvidia/cu13/lib/").string(),
                                              (packages / "nvidia/cublas/lib/").string()}));
  EXPECT_EQ(PackagedFolders(packages / "nowhere"), Names{});
  EXPECT_EQ(PackagedFolders(""), Names{});
}

TEST(LibraryTest, SaysWhereItWasFoundOrWhyItWasNot) {
  Library found("libdl.so.2"), missing("libno_such_library.so.7");
  EXPECT_TRUE(found.open());
  EXPECT_NE(found.path().find("libdl"), std::string::npos) << found.path();
  EXPECT_FALSE(missing.open());
  EXPECT_NE(missing.problem().find("libno_such_library.so.7"), std::string::npos);
  EXPECT_EQ(found.Find("no_such_function"), nullptr);
  EXPECT_NE(found.problem().find("no_such_function"), std::string::npos);
}

// In a program of its own, since folders are looked up once.
TEST(LibraryDeathTest, TheEnvironmentsPackagesAreLookedThrough) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const fs::path environment = fs::path(testing::TempDir()) / "environment";
  setenv("VIRTUAL_ENV", environment.c_str(), 1);  // before the first library of the test's program
  const fs::path folder = environment / "lib/python3.12/site-packages/nvidia/toy/lib";
  fs::create_directories(folder);
  // A library that there is, under another name.
  fs::copy_file(Library("libdl.so.2").path(), folder / "libtoy_of_a_package.so.1",
                fs::copy_options::overwrite_existing);
  EXPECT_EXIT(std::exit(Library("libtoy_of_a_package.so.1").open() ? 0 : 1),
              testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace sy::cuda
