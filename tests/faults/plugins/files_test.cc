// Files that say what runs in a process: who may have written them is looked at before anything of
// them is believed, and nothing waits for a pipe.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "plugin/trusted_file.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::LoadError;
using testing::PluginPath;
using testing::Snapshot;
using ::testing::StartsWith;

namespace fs = std::filesystem;
constexpr uid_t kSomebody = 12345;

// A folder of the test's own, with the plugin `opaque` in it.
class FilesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    alarm(60);  // a test that hangs is no answer
    std::string name = (fs::path(::testing::TempDir()) / "files.XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root_ = fs::canonical(name);
    folder_ = root_ / "plugins";
    fs::create_directory(folder_);
    chmod(folder_.c_str(), 0755);
    object_ = folder_ / "libopaque.so";
    fs::copy_file(fs::canonical(PluginPath("opaque")), object_);
    chmod(object_.c_str(), 0644);
    before_ = Snapshot();
  }
  void TearDown() override {
    EXPECT_EQ(Snapshot(), before_);
    EXPECT_TRUE(loaded_plugins().empty());
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }
  void WriteManifest(mode_t mode) const {
    std::ofstream(folder_ / "opaque.json")
        << R"({"name": "opaque", "version": "1", "library": "libopaque.so", "abi": {"major": 1}})";
    chmod((folder_ / "opaque.json").c_str(), mode);
  }
  std::string Problem() const {
    const auto all = list_plugins({.directories = {folder_.string()}, .environment = false});
    return all.size() != 1 ? "not one plugin" : all[0].problem;
  }
  static void ExpectLoads(const fs::path& path) {
    EXPECT_EQ(LoadError(path.string()), "");
    EXPECT_EQ(unload_plugin("opaque").text, "unloaded");
  }
  // Whether this machine lets us.
  static bool GiveAway(const fs::path& path) { return lchown(path.c_str(), kSomebody, 0) == 0; }

  fs::path root_, folder_, object_;
  std::string before_;
};

TEST_F(FilesTest, AnObjectOfOursLoads) { ExpectLoads(object_); }

TEST_F(FilesTest, AnObjectThatItsGroupMayWriteIsRefused) {
  chmod(object_.c_str(), 0664);
  EXPECT_THAT(LoadError(object_), HasSubstr("its group may write this file"));
}

TEST_F(FilesTest, AnObjectThatAnybodyMayWriteIsRefused) {
  chmod(object_.c_str(), 0646);
  EXPECT_THAT(LoadError(object_), HasSubstr("anybody may write this file"));
}

TEST_F(FilesTest, AnObjectOfSomebodyElseIsRefused) {
  if (!GiveAway(object_)) GTEST_SKIP() << "only root can give files away";
  EXPECT_THAT(LoadError(object_),
              HasSubstr("it belongs to user 12345, expected root or user 0, whom this process"));
}

TEST_F(FilesTest, AFolderThatOthersMayWriteIsRefused) {
  for (const mode_t mode : {0777, 0775}) {
    chmod(folder_.c_str(), mode);
    EXPECT_THAT(LoadError(object_), HasSubstr("others may write the folder '" + folder_.string()));
  }
}

TEST_F(FilesTest, AFolderHigherUpThatOthersMayWriteIsRefused) {
  chmod(root_.c_str(), 0777);
  EXPECT_THAT(LoadError(object_), HasSubstr("others may write the folder '" + root_.string()));
}

TEST_F(FilesTest, AStickyFolderWillDo) {
  chmod(root_.c_str(), 01777);
  ExpectLoads(object_);
}

TEST_F(FilesTest, AFolderOfSomebodyElseIsRefused) {
  if (!GiveAway(folder_)) GTEST_SKIP() << "only root can give folders away";
  EXPECT_THAT(LoadError(object_),
              HasSubstr("the folder '" + folder_.string() + "' belongs to user"));
}

TEST_F(FilesTest, ASymbolicLinkIsFollowedAndWhereItLeadsIsLookedAt) {
  const fs::path link = root_ / "libopaque.so";
  fs::create_symlink("plugins/../plugins/libopaque.so", link);
  ExpectLoads(link);
  fs::remove(link);
  fs::create_symlink(object_, link);  // absolute
  ExpectLoads(link);
  chmod(folder_.c_str(), 0777);
  EXPECT_THAT(LoadError(link), HasSubstr("others may write the folder '" + folder_.string()));
}

TEST_F(FilesTest, ASymbolicLinkOfSomebodyElseIsRefused) {
  const fs::path link = root_ / "libopaque.so";
  fs::create_symlink(object_, link);
  chmod(root_.c_str(), 01777);
  if (!GiveAway(link)) GTEST_SKIP() << "only root can give links away";
  EXPECT_THAT(LoadError(link), HasSubstr("a symbolic link on the way to it belongs to user 12345"));
}

TEST_F(FilesTest, SymbolicLinksInACircleAreAnError) {
  fs::create_symlink("b", root_ / "a");
  fs::create_symlink("a", root_ / "b");
  EXPECT_NE(LoadError(root_ / "a"), "");
  try {
    const plugin::TrustedFile file("plugin", root_ / "a");
    FAIL() << "opened";
  } catch (const Error& e) {
    EXPECT_THAT(e.message(), HasSubstr("Too many levels of symbolic links"));
  }
}

TEST_F(FilesTest, APipeIsRefusedAndNotWaitedFor) {
  fs::remove(object_);
  ASSERT_EQ(mkfifo(object_.c_str(), 0600), 0);
  EXPECT_THAT(LoadError(object_), HasSubstr("not a file"));
}

TEST_F(FilesTest, FoldersAndDevicesAreNoObjects) {
  EXPECT_THAT(LoadError(folder_), HasSubstr("not a file"));
  EXPECT_THAT(LoadError("/dev/zero"), HasSubstr("not a file"));
}

TEST_F(FilesTest, APathWithAZeroInItIsRefused) {
  EXPECT_NE(LoadError(object_.string() + std::string("\0.so", 4)), "");
  EXPECT_THROW(plugin::TrustedFile("plugin", object_.string() + std::string("\0", 1)), Error);
}

TEST_F(FilesTest, AManifestThatOthersMayWriteIsAProblem) {
  WriteManifest(0644);
  EXPECT_EQ(Problem(), "");
  ExpectLoads(object_);
  for (const mode_t mode : {0666, 0664}) {
    WriteManifest(mode);
    EXPECT_THAT(Problem(), HasSubstr("may write this file"));
    EXPECT_THAT(LoadError(object_), HasSubstr("may write this file"));
    EXPECT_THAT(LoadError("opaque", {.directories = {folder_.string()}, .environment = false}),
                HasSubstr("may write this file"));
  }
}

TEST_F(FilesTest, AManifestOfSomebodyElseIsAProblem) {
  WriteManifest(0644);
  if (!GiveAway(folder_ / "opaque.json")) GTEST_SKIP() << "only root can give files away";
  EXPECT_THAT(Problem(), HasSubstr("it belongs to user 12345"));
  EXPECT_THAT(LoadError(object_), HasSubstr("it belongs to user 12345"));
}

TEST_F(FilesTest, AManifestThatIsAPipeIsNotWaitedFor) {
  ASSERT_EQ(mkfifo((folder_ / "opaque.json").c_str(), 0600), 0);
  EXPECT_THAT(Problem(), HasSubstr("not a file"));
  EXPECT_THAT(LoadError(object_), HasSubstr("not a file"));
}

TEST_F(FilesTest, AManifestThatIsTooLongIsNotRead) {
  WriteManifest(0644);
  fs::resize_file(folder_ / "opaque.json", 2 << 20);
  EXPECT_THAT(Problem(), HasSubstr("longer than 1048576 bytes"));
}

TEST_F(FilesTest, AnObjectThatOthersMayWriteIsListedAsAProblem) {
  WriteManifest(0644);
  chmod(object_.c_str(), 0666);
  EXPECT_THAT(Problem(), HasSubstr("anybody may write this file"));
}

// What is looked for after the object was opened by its path.
TEST_F(FilesTest, AFileThatWasReplacedIsNoticed) {
  const plugin::TrustedFile file("plugin", object_);
  EXPECT_TRUE(file.IsStillThere());
  const fs::path other = folder_ / "other.so";
  fs::copy_file(object_, other);
  fs::rename(other, object_);
  EXPECT_FALSE(file.IsStillThere());
}

TEST_F(FilesTest, AFileThatWasWrittenIsNoticed) {
  const plugin::TrustedFile file("plugin", object_);
  std::ofstream(object_, std::ios::app) << "x";
  EXPECT_FALSE(file.IsStillThere());
}

}  // namespace
}  // namespace sy
