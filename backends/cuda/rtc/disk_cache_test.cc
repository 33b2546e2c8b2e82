#include "backends/cuda/rtc/disk_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace sy::cuda {
namespace {

namespace fs = std::filesystem;

class DiskCacheTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "kernels" /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
  }
  size_t NumFiles() const {
    size_t n = 0;
    for ([[maybe_unused]] const auto& file : fs::directory_iterator(folder_)) ++n;
    return n;
  }
  fs::path folder_;
};

TEST_F(DiskCacheTest, WhatIsKeptIsFoundByAnotherProcess) {
  const std::string image("\0machine\ncode", 13);
  DiskCache(folder_).Keep("key", image);
  EXPECT_EQ(DiskCache(folder_).Find("key"), image);
  EXPECT_EQ(NumFiles(), 1u);
}
TEST_F(DiskCacheTest, AnotherKeyFindsNothing) {
  const DiskCache cache(folder_);
  cache.Keep("key", "image");
  EXPECT_EQ(cache.Find("kez"), std::nullopt);
}
TEST_F(DiskCacheTest, TheLastImageOfAKeyIsFound) {
  const DiskCache cache(folder_);
  cache.Keep("key", "first");
  cache.Keep("key", "second");
  EXPECT_EQ(cache.Find("key"), "second");
  EXPECT_EQ(NumFiles(), 1u);
}
TEST_F(DiskCacheTest, AFileThatIsCutShortIsNotTaken) {
  const DiskCache cache(folder_);
  cache.Keep("key", "image");
  const fs::path file = fs::directory_iterator(folder_)->path();
  const uintmax_t whole = fs::file_size(file);
  for (uintmax_t size : {uintmax_t{0}, uintmax_t{7}, whole - 5}) {
    fs::resize_file(file, size);
    EXPECT_EQ(cache.Find("key"), std::nullopt) << size;
  }
}
TEST_F(DiskCacheTest, AFileOfAnotherKeyUnderTheSameNameIsNotTaken) {
  const DiskCache cache(folder_);
  cache.Keep("key", "image");
  const fs::path file = fs::directory_iterator(folder_)->path();
  fs::remove(file);
  cache.Keep("other", "another image");
  fs::rename(fs::directory_iterator(folder_)->path(), file);
  EXPECT_EQ(cache.Find("key"), std::nullopt);
}
TEST_F(DiskCacheTest, AFolderThatCannotBeWrittenIsAsGoodAsNone) {
  const fs::path file = fs::path(testing::TempDir()) / "no_folder";
  std::ofstream(file) << "a file";
  for (const std::string& folder : {(file / "inside").string(), std::string()}) {
    const DiskCache cache(folder);
    cache.Keep("key", "image");
    EXPECT_EQ(cache.Find("key"), std::nullopt) << folder;
  }
}
TEST_F(DiskCacheTest, TheEnvironmentNamesTheFolder) {
  setenv("HOME", "/home/somebody", 1);
  unsetenv("XDG_CACHE_HOME");
  unsetenv("SWITCHYARD_CUDA_CACHE");
  EXPECT_EQ(DiskCache::DefaultFolder(), "/home/somebody/.cache/switchyard/cuda");
  setenv("XDG_CACHE_HOME", "/cache", 1);
  EXPECT_EQ(DiskCache::DefaultFolder(), "/cache/switchyard/cuda");
  setenv("SWITCHYARD_CUDA_CACHE", "/kernels", 1);
  EXPECT_EQ(DiskCache::DefaultFolder(), "/kernels");
  setenv("SWITCHYARD_CUDA_CACHE", "", 1);
  EXPECT_EQ(DiskCache::DefaultFolder(), "");
}

}  // namespace
}  // namespace sy::cuda
