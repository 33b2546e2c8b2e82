// Plugins that take their process with them, in processes of their own: what happens is the
// plugin's fault, and its alone.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using testing::Fault;
using testing::PluginPath;

class CrashTest : public ::testing::Test {
 protected:
  CrashTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};
using CrashDeathTest = CrashTest;

void Load(const char* name, const char* how) {
  const Fault fault(how);
  alarm(20);  // a test that hangs is no answer
  load_plugin(PluginPath(name));
  _exit(0);
}

TEST_F(CrashDeathTest, StaticConstructorThatThrowsTerminates) {
  EXPECT_DEATH(Load("fault", "constructor throws"), "thrown before the entry point");
}

// Whether two C++ runtimes can pass an exception between them is theirs to say; the plugin is not
// loaded either way.
TEST_F(CrashDeathTest, EntryThatThrowsThroughARuntimeOfItsOwnIsNotLoaded) {
  constexpr int kRefused = 3;
  const auto load = [] {
    try {
      Load("fault_static", "entry throws");
    } catch (const Error&) {
      _exit(kRefused);
    }
  };
  const auto refused = [](int status) {
    return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == kRefused);
  };
  EXPECT_EXIT(load(), refused, "");
}

TEST_F(CrashDeathTest, Abort) {
  EXPECT_EXIT(Load("fault", "init aborts"), ::testing::KilledBySignal(SIGABRT), "");
}

TEST_F(CrashDeathTest, ExitInInit) {
  EXPECT_EXIT(Load("fault", "init exits"), ::testing::ExitedWithCode(7), "");
}

TEST_F(CrashDeathTest, SegmentationFault) { EXPECT_DEATH(Load("fault", "init crashes"), ""); }

TEST_F(CrashDeathTest, HangIsEndedByATimeout) {
  const auto hang = [] {
    const Fault fault("init hangs");
    alarm(1);
    load_plugin(PluginPath("fault"));
  };
  EXPECT_EXIT(hang(), ::testing::KilledBySignal(SIGALRM), "");
}

TEST_F(CrashDeathTest, ObjectBuiltWithASanitizerDoesNotEndTheProgram) {
#if SY_SANITIZED
  GTEST_SKIP() << "this program is built with a sanitizer itself";
#endif
  EXPECT_EXIT(
      {
        const std::string error = testing::LoadError(PluginPath("fault_asan"));
        _exit(error.find("built with address sanitizer, this program with no") != error.npos ? 3
                                                                                             : 4);
      },
      ::testing::ExitedWithCode(3), "");
}

}  // namespace
}  // namespace sy
