#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <thread>

#include "switchyard/core/logging.h"

namespace sy {
namespace {

TEST(SpdlogSinkTest, AMessageIsALineWithItsTimeAndLevel) {
  ::testing::internal::CaptureStderr();
  Log(LogLevel::kError, "seen {}");
  const std::string line = ::testing::internal::GetCapturedStderr();
  EXPECT_TRUE(line.starts_with("[")) << line;
  EXPECT_TRUE(line.ends_with("] [switchyard] [error] seen {}\n")) << line;
}

TEST(SpdlogSinkTest, AProgramsSinkComesFirst) {
  static std::string seen;
  SetLogSink([](LogLevel, std::string_view text) { seen = text; });
  Log(LogLevel::kError, "theirs");
  EXPECT_EQ(seen, "theirs");
  SetLogSink(nullptr);
  ::testing::internal::CaptureStderr();
  Log(LogLevel::kError, "ours");
  EXPECT_TRUE(::testing::internal::GetCapturedStderr().ends_with("[switchyard] [error] ours\n"));
}

TEST(SpdlogSinkTest, AChildOfAThreadThatLogsCanLog) {
  constexpr int kForks = 50, kSecondsUntilHung = 10;
  ::testing::internal::CaptureStderr();
  std::atomic<bool> done{false};
  std::thread logs([&] {
    while (!done) Log(LogLevel::kError, "of a thread");
  });
  int ended = 0;
  for (int i = 0; i < kForks; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(kSecondsUntilHung);
      Log(LogLevel::kError, "of a child");
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    ended += WIFEXITED(status) ? 1 : 0;
  }
  done = true;
  logs.join();
  ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(ended, kForks);
}

}  // namespace
}  // namespace sy
