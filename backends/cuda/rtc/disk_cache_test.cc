#include "backends/cuda/rtc/disk_cache.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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
TEST_F(DiskCacheTest, TheKeysOfAllThatCanBeHadAreListed) {
  const DiskCache cache(folder_);
  EXPECT_TRUE(cache.Keys().empty());
  for (const char* key : {"b", "a", "c"}) EXPECT_TRUE(cache.Keep(key, "image"));
  std::ofstream(folder_ / "another.kernel") << "no kernel";
  std::ofstream(folder_ / "notes.txt") << "no kernel either";
  EXPECT_EQ(cache.Keys(), (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_TRUE(DiskCache("").Keys().empty());
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
TEST_F(DiskCacheTest, AnImageThatADiskHasSpoiltIsNotTaken) {
  const DiskCache cache(folder_);
  cache.Keep("key", "image");
  const fs::path path = fs::directory_iterator(folder_)->path();
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(-2, std::ios::end);
  file.put('x');
  file.close();
  EXPECT_EQ(cache.Find("key"), std::nullopt);
  cache.Keep("key", "image");  // and is replaced
  EXPECT_EQ(cache.Find("key"), "image");
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
    EXPECT_FALSE(cache.Keep("key", "image")) << folder;
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

TEST_F(DiskCacheTest, RelativeFoldersInTheEnvironmentAreNone) {
  setenv("SWITCHYARD_CUDA_CACHE", "kernels", 1);
  EXPECT_EQ(DiskCache::DefaultFolder(), "");
  unsetenv("SWITCHYARD_CUDA_CACHE");
  setenv("XDG_CACHE_HOME", "cache", 1);
  setenv("HOME", "/home/somebody", 1);
  EXPECT_EQ(DiskCache::DefaultFolder(), "/home/somebody/.cache/switchyard/cuda");
  setenv("HOME", ".", 1);
  EXPECT_EQ(DiskCache::DefaultFolder(), "");
}

// --- Others on the machine

mode_t ModeOf(const fs::path& path) {
  struct stat status {};
  lstat(path.c_str(), &status);
  return status.st_mode & 07777;
}
TEST_F(DiskCacheTest, FolderAndFilesAreForThisUserAloneWhateverTheUmask) {
  const mode_t before = umask(0);
  DiskCache(folder_ / "deep" / "inside").Keep("key", "image");
  umask(before);
  for (const fs::path& folder : {folder_, folder_ / "deep", folder_ / "deep" / "inside"})
    EXPECT_EQ(ModeOf(folder), 0700) << folder;
  EXPECT_EQ(ModeOf(*fs::directory_iterator(folder_ / "deep" / "inside")), 0600);
}
TEST_F(DiskCacheTest, AFolderThatOthersMayWriteIsNotUsed) {
  for (const mode_t mode : {0777, 0770, 01777}) {
    fs::create_directories(folder_);
    chmod(folder_.c_str(), 0700);
    const DiskCache cache(folder_);
    cache.Keep("key", "image");
    chmod(folder_.c_str(), mode);
    EXPECT_EQ(cache.Find("key"), std::nullopt) << std::oct << mode;
    cache.Keep("another key", "image");
    EXPECT_EQ(NumFiles(), 1u) << std::oct << mode;
  }
}
TEST_F(DiskCacheTest, AFileThatOthersMayWriteIsNotTaken) {
  const DiskCache cache(folder_);
  cache.Keep("key", "image");
  chmod(fs::directory_iterator(folder_)->path().c_str(), 0666);
  EXPECT_EQ(cache.Find("key"), std::nullopt);
  cache.Keep("key", "image again");  // and is replaced
  EXPECT_EQ(cache.Find("key"), "image again");
}
TEST_F(DiskCacheTest, WhatBelongsToSomebodyElseIsNotTaken) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const DiskCache cache(folder_);
  cache.Keep("key", "image");
  const fs::path file = fs::directory_iterator(folder_)->path();
  constexpr uid_t kSomebody = 12345;
  if (chown(file.c_str(), kSomebody, 0) != 0) GTEST_SKIP() << "this file system keeps no owners";
  EXPECT_EQ(cache.Find("key"), std::nullopt);
  ASSERT_EQ(chown(file.c_str(), 0, 0), 0);
  EXPECT_EQ(cache.Find("key"), "image");
  ASSERT_EQ(chown(folder_.c_str(), kSomebody, 0), 0);
  EXPECT_EQ(cache.Find("key"), std::nullopt);
}
TEST_F(DiskCacheTest, SymbolicLinksAreNotFollowed) {
  const fs::path elsewhere = folder_.string() + ".elsewhere";
  const DiskCache there(elsewhere);
  there.Keep("key", "image");
  const fs::path file = fs::directory_iterator(elsewhere)->path();
  fs::create_directories(folder_);
  chmod(folder_.c_str(), 0700);
  fs::create_symlink(file, folder_ / file.filename());
  EXPECT_EQ(DiskCache(folder_).Find("key"), std::nullopt);
  fs::remove_all(folder_);
  fs::create_directory_symlink(elsewhere, folder_);
  EXPECT_EQ(DiskCache(folder_).Find("key"), std::nullopt);
  DiskCache(folder_).Keep("another key", "image");
  EXPECT_EQ(there.Find("another key"), std::nullopt);
  fs::remove(folder_);
  fs::remove_all(elsewhere);
}
TEST_F(DiskCacheTest, APipeUnderTheNameOfAFileIsNotWaitedFor) {
  const DiskCache cache(folder_);
  cache.Keep("key", "image");
  const fs::path file = fs::directory_iterator(folder_)->path();
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  EXPECT_EQ(cache.Find("key"), std::nullopt);
}

}  // namespace
}  // namespace sy::cuda
