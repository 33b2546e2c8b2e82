// Ranks that are processes, on each engine: what they compute, and what happens when one of them
// dies, stops, leaves or calls something else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "switchyard/collective/group.h"
#include "tests/collective/battery.h"
#include "tests/collective/shell.h"

namespace sy::collective {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

Ended Launch(int ranks, const std::string& what, const std::string& options = "--grace 3") {
  return Shell(Environment() + "SWITCHYARD_ENGINE=gloo tools/switchyard launch -n " +
               std::to_string(ranks) + " " + options + " tests/collective/ranks " + what);
}
Ended MpiRun(int ranks, const std::string& what) {
  return Shell(Environment() +
               "OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_btl=self,vader "
               "mpirun --allow-run-as-root --oversubscribe -n " +
               std::to_string(ranks) + " tests/collective/ranks " + what);
}
TEST(Local, Computes) {
  for (const int64_t inline_bytes : {int64_t{0}, int64_t{256 * 1024}}) {
    RunRanks(3, [](int) { EXPECT_GT(RunBattery(), 1000); }, {.inline_bytes = inline_bytes});
  }
}

TEST(Gloo, Computes) {
  for (const int ranks : {1, 2, 3}) {
    const Ended e = Launch(ranks, "battery");
    EXPECT_EQ(e.status, 0) << e.text;
    EXPECT_EQ(Count(e.text, " by gloo"), ranks) << e.text;
  }
}

TEST(Mpi, Computes) {
  const Ended e = MpiRun(2, "battery");
  EXPECT_EQ(e.status, 0) << e.text;
  EXPECT_EQ(Count(e.text, " by mpi"), 2) << e.text;
}

// The longest time that a survivor says it has waited.
int LongestWait(const std::string& text) {
  int longest = -1;
  const std::regex pattern("after ([0-9]+) ms");
  for (std::sregex_iterator i(text.begin(), text.end(), pattern), end; i != end; ++i)
    longest = std::max(longest, std::stoi((*i)[1]));
  return longest;
}

TEST(Gloo, ARankThatIsKilledIsNamedByEverySurvivor) {
  const Ended e = Launch(3, "killed");
  EXPECT_EQ(e.status, 1);
  for (const char* survivor : {"0", "2"}) {
    EXPECT_THAT(e.text, HasSubstr(std::string("rank ") + survivor +
                                  ", group 'tp', call 3, all_reduce of float32[4], sum: "));
  }
  EXPECT_GE(Count(e.text, "rank 1 has ended"), 2) << e.text;
  EXPECT_GE(LongestWait(e.text), 0);
  EXPECT_LT(LongestWait(e.text), 2000) << e.text;
  EXPECT_THAT(e.text, HasSubstr("switchyard: rank 1 was killed by signal 9"));
}

TEST(Gloo, ARankThatIsStoppedIsNamedAtTheDeadline) {
  const Ended e = Launch(3, "stopped", "--grace 1");
  EXPECT_EQ(e.status, 1);
  for (const char* survivor : {"0", "2"}) {
    EXPECT_THAT(e.text, HasSubstr(std::string("rank ") + survivor + ", group 'tp', call 3, "));
  }
  EXPECT_GE(Count(e.text, "rank 1 has not arrived"), 2) << e.text;
  EXPECT_GE(LongestWait(e.text), 900) << e.text;
  EXPECT_LT(LongestWait(e.text), 4000) << e.text;
  EXPECT_LT(e.took, std::chrono::seconds(20));
}

// Who is asked for the others.
TEST(Gloo, RankZeroIsMissedToo) {
  setenv("VICTIM", "0", 1);
  const Ended killed = Launch(3, "killed"), stopped = Launch(3, "stopped", "--grace 1");
  unsetenv("VICTIM");
  EXPECT_GE(Count(killed.text, "rank 0 has ended"), 2) << killed.text;
  EXPECT_LT(LongestWait(killed.text), 2000) << killed.text;
  EXPECT_GE(Count(stopped.text, "rank 0 does not answer"), 2) << stopped.text;
  EXPECT_LT(LongestWait(stopped.text), 6000) << stopped.text;
}

TEST(Gloo, ARankThatThrowsOrLeavesIsNamed) {
  Ended e = Launch(2, "throws");
  EXPECT_THAT(e.text, AllOf(HasSubstr("[1] out of paper"), HasSubstr("rank 1 has ended"),
                            HasSubstr("switchyard: rank 1 has ended with status 3")));
  const size_t last = e.text.find("switchyard: rank 1");
  EXPECT_THAT(e.text.substr(last), HasSubstr("[1] out of paper"));
  EXPECT_THAT(e.text.substr(last), Not(HasSubstr("[0]")));
  e = Launch(2, "leaves");
  EXPECT_THAT(e.text, HasSubstr("rank 1 has ended"));
  EXPECT_LT(LongestWait(e.text), 2000) << e.text;
}

TEST(Gloo, ARankThatIsRefusedAloneIsNamedByAllSoon) {
  Ended e = Launch(3, "refused");
  EXPECT_EQ(e.status, 1);
  for (const char* rank : {"0", "1", "2"}) {
    EXPECT_THAT(e.text, HasSubstr(std::string("rank ") + rank + ", group 'tp', call 3, "));
  }
  EXPECT_GE(Count(e.text,
                  "rank 1 has failed after call 2: _c10d_functional::all_reduce(): "
                  "reduce_op is 'summ'"),
            3)
      << e.text;
  EXPECT_GE(LongestWait(e.text), 0);
  EXPECT_LT(LongestWait(e.text), 2000) << e.text;
  e = Launch(3, "sharded");
  EXPECT_EQ(e.status, 1);
  // What all were refused alike has broken nothing: three times the whole was put together.
  EXPECT_GE(Count(e.text, "rank 1 has failed after call 3: index_select(): "), 3) << e.text;
  EXPECT_GE(LongestWait(e.text), 0);
  EXPECT_LT(LongestWait(e.text), 2000) << e.text;
}

TEST(Groups, ThatOneRankDoesNotMakeAreMadeByNone) {
  for (const Ended& e : {Launch(3, "makes_alone"), MpiRun(3, "makes_alone")}) {
    EXPECT_EQ(e.status, 0) << e.text;
    for (const char* rank : {"0", "1", "2"}) {
      EXPECT_THAT(e.text, HasSubstr(std::string("NewGroup(): rank ") + rank + ", group 'tp': "));
    }
    EXPECT_EQ(Count(e.text, "rank 1 has failed: rank 1 is there twice"), 2) << e.text;
    EXPECT_EQ(Count(e.text, "sum 3"), 3) << e.text;
    EXPECT_LT(LongestWait(e.text), 2000) << e.text;
  }
}

TEST(Gloo, CallsThatDoNotMatchAreNamedBothInCheckMode) {
  const Ended e = Launch(2, "mismatch");
  EXPECT_EQ(e.status, 1);
  for (const char* rank : {"0", "1"}) {
    EXPECT_THAT(e.text,
                HasSubstr(std::string("[") + rank + "] _c10d_functional::all_reduce(): rank " +
                          rank + ", group 'world', call 1, "))
        << e.text;
  }
  EXPECT_GE(Count(e.text,
                  "rank 0: call 1, all_reduce of float32[8], sum; rank 1: call 1, "
                  "all_reduce of float32[4], sum"),
            2)
      << e.text;
}

TEST(Mpi, ARankThatIsKilledEndsTheJobSoon) {
  const Ended e = MpiRun(3, "killed");
  EXPECT_NE(e.status, 0);
  EXPECT_LT(e.took, std::chrono::seconds(10));
}

TEST(Mpi, ARankThatIsRefusedAloneEndsTheJobSoonByName) {
  for (const char* what : {"refused", "sharded"}) {
    const Ended e = MpiRun(2, what);
    EXPECT_NE(e.status, 0);
    EXPECT_THAT(e.text, AllOf(HasSubstr("switchyard: rank 0, group '"),
                              HasSubstr("rank 1 has failed after call ")));
    EXPECT_LT(e.took, std::chrono::seconds(10));
  }
}

TEST(Mpi, ARankThatIsStoppedEndsTheJobAfterTheDeadline) {
  const Ended e = MpiRun(3, "stopped");
  EXPECT_NE(e.status, 0);
  EXPECT_THAT(e.text, AllOf(HasSubstr("group 'tp', call 3, all_reduce"),
                            HasSubstr("no answer within 1000 ms")));
  EXPECT_LT(e.took, std::chrono::seconds(20));
}

std::vector<double> LossesIn(const std::string& text) {
  std::vector<double> all;
  const size_t at = text.find("losses:");
  if (at == std::string::npos) return all;
  std::istringstream line(text.substr(at + 7, text.find('\n', at) - at - 7));
  for (double loss; line >> loss;) all.push_back(loss);
  return all;
}

TEST(Training, OnSeveralRanksHasTheLossesOfOneProcess) {
  const std::vector<double> one =
      LossesIn(Shell("OMP_NUM_THREADS=1 tests/collective/ranks train").text);
  ASSERT_EQ(one.size(), 16U);
  for (const char* how : {"train", "train_sharded"}) {
    for (const int ranks : {2, 4}) {
      const Ended e = Launch(ranks, how);
      EXPECT_EQ(e.status, 0) << e.text;
      const std::vector<double> losses = LossesIn(e.text);
      ASSERT_EQ(losses.size(), one.size()) << how << e.text;
      // Sums of float32 in another order, and 16 steps that build on them.
      for (size_t i = 0; i < one.size(); ++i)
        EXPECT_NEAR(losses[i], one[i], 2e-4 * (1 + one[i])) << how << " on " << ranks;
    }
  }
}

TEST(Training, SurvivesTheLossOfARankWithTheSameLosses) {
  const std::string folder = ::testing::TempDir() + "/survives";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::vector<double> undisturbed = LossesIn(Launch(2, "train").text);
  const Ended e = Launch(2, "train " + folder, "--restarts 1 --grace 2");
  EXPECT_EQ(e.status, 0) << e.text;
  EXPECT_THAT(e.text, AllOf(HasSubstr("rank 1 was killed by signal 9"),
                            HasSubstr("all ranks start again")));
  EXPECT_EQ(LossesIn(e.text), undisturbed) << e.text;
}

TEST(Training, OnShardedTensorsGoesOnFromItsFiles) {
  const std::string folder = ::testing::TempDir() + "/sharded";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::vector<double> undisturbed = LossesIn(Launch(4, "train_sharded").text);
  const Ended e = Launch(4, "train_sharded " + folder, "--restarts 1 --grace 2");
  EXPECT_EQ(e.status, 0) << e.text;
  const std::vector<double> losses = LossesIn(e.text);
  ASSERT_EQ(losses.size(), undisturbed.size()) << e.text;
  for (size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], undisturbed[i], 1e-5);
}

TEST(Launch, ShowsWhatItCannotRun) {
  const Ended e = Shell("tools/switchyard launch -n 1 tests/collective/no_such_program");
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.text, AllOf(HasSubstr("[0] tests/collective/no_such_program: No such file"),
                            HasSubstr("rank 0 has ended with status 127")));
  EXPECT_NE(Shell("tools/switchyard launch -n 2").status, 0);
}

TEST(Launch, StartsAgainAsOftenAsItIsTold) {
  const Ended e = Shell("tools/switchyard launch -n 1 --restarts 2 sh -c 'exit 5'");
  EXPECT_EQ(e.status, 1);
  EXPECT_EQ(Count(e.text, "has ended with status 5"), 3) << e.text;
}

}  // namespace
}  // namespace sy::collective
