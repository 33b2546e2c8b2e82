// Calls while the process, or a thread, ends: in static destructors, in destructors of
// thread-locals, and from threads that go on while main returns.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <string>

#include "tests/faults/long.h"

namespace sy {
namespace {

class EndingTest : public ::testing::TestWithParam<const char*> {};

TEST_P(EndingTest, CallsAreRightToTheEnd) {
  const int times = testing::IsLong() ? 200 : 3;
  const std::string command = std::string("tests/faults/process/ending ") + GetParam() + " 2>&1";
  for (int i = 0; i < times; ++i) {
    FILE* const output = popen(command.c_str(), "r");
    ASSERT_NE(output, nullptr);
    std::string text;
    for (int c; (c = std::fgetc(output)) != EOF;) text += static_cast<char>(c);
    const int status = pclose(output);
    ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status << ": " << text;
    ASSERT_EQ(text, "done\n");
  }
}
INSTANTIATE_TEST_SUITE_P(Modes, EndingTest,
                         ::testing::Values("statics", "first", "threads", "locals"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace sy
