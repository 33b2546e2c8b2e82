// Plugins that take their process with them, in processes of their own: what happens is the
// plugin's fault, and its alone.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
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

constexpr int kAsExpected = 3;

void ExpectRefused(const char* name, const char* sanitizer) {
  const std::string error = testing::LoadError(PluginPath(name));
  const std::string said = std::string("built with the ") + sanitizer +
                           " sanitizer, this program runs with no sanitizer";
  _exit(error.find(said) != error.npos ? kAsExpected : 4);
}

TEST_F(CrashDeathTest, ObjectBuiltWithASanitizerDoesNotEndTheProgram) {
#if SY_SANITIZED
  GTEST_SKIP() << "this program is built with a sanitizer itself";
#endif
  EXPECT_EXIT(ExpectRefused("fault_asan", "address"), ::testing::ExitedWithCode(kAsExpected), "");
  EXPECT_EXIT(ExpectRefused("fault_tsan", "thread"), ::testing::ExitedWithCode(kAsExpected), "");
}

// Loads and unloads it, then goes on for a while.
void Outlive(const char* name) {
  {
    const Fault fault("a thread survives");
    alarm(20);
    load_plugin(PluginPath(name));
    unload_plugin("fault");
  }
  usleep(500'000);
  _exit(kAsExpected);
}

TEST_F(CrashDeathTest, AThreadThatSurvivesShutdownRunsIntoUnmappedCode) {
  EXPECT_DEATH(Outlive("fault"), "");
}

TEST_F(CrashDeathTest, AThreadThatSurvivesShutdownGoesOnInAnObjectThatStays) {
  EXPECT_EXIT(Outlive("fault_stays"), ::testing::ExitedWithCode(kAsExpected), "");
}

TEST_F(CrashDeathTest, AForeignBufferFreedEndsTheProgram) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "the thread sanitizer's allocator does not look at what it is given";
#endif
  const auto free_it = [] {
    alarm(20);
    load_plugin(PluginPath("asks"));
    call("asks::frees_a_foreign_buffer", tensor({1.}));
  };
  EXPECT_DEATH(free_it(), "");
}

}  // namespace
}  // namespace sy
