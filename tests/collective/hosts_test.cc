// Ranks on several hosts: addresses of this machine, or network namespaces of it, behind a program
// that stands in for ssh.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/collective/shell.h"

namespace sy::collective {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string Written(const std::string& name, const std::string& text) {
  const std::string path = ::testing::TempDir() + "/" + name;
  std::ofstream(path) << text;
  chmod(path.c_str(), S_IRWXU);
  return path;
}
// Called as ssh is: options, the host, what its shell is to run.
std::string StandIn(const std::string& run = "exec sh -c \"$*\"") {
  return Written(
      "ssh", "#!/bin/sh\nwhile [ \"$1\" = -o ]; do shift 2; done\nhost=$1\nshift\n" + run + "\n");
}
std::string TwoHosts() {
  return Written("hosts",
                 "# name, ranks, address\n"
                 "one slots=2 address=127.0.0.1\n"
                 "\n"
                 "somebody@two slots=2 address=127.0.0.2  # the loopback device has many\n");
}
Ended Launch(const std::string& rest, const std::string& hosts = TwoHosts(),
             const std::string& ssh = StandIn()) {
  return Shell(Environment() + "SWITCHYARD_ENGINE=gloo tools/switchyard launch --hosts " + hosts +
               " --ssh " + ssh + " " + rest);
}

TEST(Hosts, TheirRanksComputeTogether) {
  const Ended e = Launch("-n 3 tests/collective/ranks battery");
  EXPECT_EQ(e.status, 0) << e.text;
  EXPECT_EQ(Count(e.text, " by gloo"), 3) << e.text;
}

TEST(Hosts, ARankKnowsItsPlaceAndGetsWhatIsHandedOn) {
  const Ended e = Launch(
      "--port 29999 -x GREETING=\"it's \\$HOME\" sh -c "
      "'echo $RANK $LOCAL_RANK $WORLD_SIZE $MASTER_ADDR $MASTER_PORT $SWITCHYARD_HOST "
      "$SWITCHYARD_ENGINE $GREETING; pwd; read x || echo no input'");
  EXPECT_EQ(e.status, 0) << e.text;
  EXPECT_THAT(e.text, AllOf(HasSubstr("[0] 0 0 4 127.0.0.1 29999 127.0.0.1 gloo it's $HOME\n"),
                            HasSubstr("[1] 1 1 4 127.0.0.1 29999 127.0.0.1 gloo it's $HOME\n"),
                            HasSubstr("[2] 2 0 4 127.0.0.1 29999 127.0.0.2 gloo it's $HOME\n"),
                            HasSubstr("[3] 3 1 4 127.0.0.1 29999 127.0.0.2 gloo it's $HOME\n")));
  EXPECT_EQ(Count(e.text, Shell("pwd").text), 4) << e.text;
  EXPECT_EQ(Count(e.text, "no input"), 4) << e.text;
}

// How many processes have this among their arguments.
int Running(const std::string& argument) {
  int n = 0;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "cmdline");  // none of what is no process
    for (std::string word; std::getline(file, word, '\0');) n += word == argument ? 1 : 0;
  }
  return n;
}

TEST(Hosts, AllEndWhenOneFailsAndTheFirstFailureIsShownLast) {
  const Ended e = Launch(
      "--grace 0.5 sh -c 'echo begun $RANK; if [ $RANK = 2 ]; then echo out of paper >&2; exit 7; "
      "fi; exec sleep 70.25'");
  EXPECT_EQ(e.status, 1);
  EXPECT_EQ(Count(e.text, "begun"), 4) << e.text;
  const size_t last =
      e.text.find("switchyard: rank 2 on somebody@two has ended with status 7; it had said:");
  ASSERT_NE(last, std::string::npos) << e.text;
  EXPECT_THAT(e.text.substr(last), AllOf(HasSubstr("[2] out of paper"), Not(HasSubstr("[0]"))));
  EXPECT_EQ(Running("70.25"), 0);
  EXPECT_LT(e.took, std::chrono::seconds(20));
}

TEST(Hosts, RanksThatIgnoreThatOrAreStoppedAreKilled) {
  const Ended e = Launch(
      "--grace 0 sh -c 'case $RANK in 0) sleep 1; exit 1;; 1) kill -STOP $$;; *) trap \"\" TERM;; "
      "esac; sleep 70.5; sleep 70.5'");
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.text, HasSubstr("rank 0 on one has ended with status 1"));
  EXPECT_EQ(Running("70.5"), 0);
}

TEST(Hosts, RanksEndWithWhoeverHasStartedThem) {
  const Ended e = Shell("tools/switchyard launch --hosts " + TwoHosts() + " --ssh " + StandIn() +
                        " sh -c 'echo begun; exec sleep 70.75' & launch=$!; sleep 3; "
                        "kill -9 $launch; sleep 2");
  EXPECT_EQ(Count(e.text, "begun"), 4) << e.text;
  EXPECT_EQ(Running("70.75"), 0);
}

TEST(Hosts, AKilledRankIsNamedByEverySurvivorAndByItsHost) {
  const Ended e = Launch("-n 3 --grace 3 tests/collective/ranks killed");
  EXPECT_EQ(e.status, 1);
  for (const char* survivor : {"0", "2"}) {
    EXPECT_THAT(e.text, HasSubstr(std::string("rank ") + survivor +
                                  ", group 'tp', call 3, all_reduce of float32[4], sum: "));
  }
  EXPECT_GE(Count(e.text, "rank 1 has ended"), 2) << e.text;
  EXPECT_THAT(e.text, HasSubstr("switchyard: rank 1 on one was killed by signal 9"));
}

TEST(Hosts, OneThatDoesNotAnswerIsNamed) {
  const Ended e = Launch("-n 1 true", TwoHosts(), StandIn("echo no route >&2; exit 255"));
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.text, AllOf(HasSubstr("rank 0 on one could not be started, or its connection was "
                                      "lost; it had said:\n[0] no route")));
}

TEST(Hosts, MistakesInTheirFileAreNamed) {
  const auto says = [](const std::string& text) {
    const Ended e = Launch("true", Written("mistaken", text));
    EXPECT_EQ(e.status, 2) << e.text;
    return e.text;
  };
  EXPECT_THAT(says("\none slots=0\n"), HasSubstr("mistaken:2: 'slots=0', expected slots=1 to"));
  EXPECT_THAT(says("one slots=2x\n"), HasSubstr("'slots=2x', expected"));
  EXPECT_THAT(says("one rooms=2\n"), HasSubstr("'rooms=2', expected"));
  EXPECT_THAT(says("one\none\n"), HasSubstr("mistaken:2: one is there twice"));
  EXPECT_THAT(says("-oProxyCommand=x\n"), HasSubstr("'-oProxyCommand=x' is no host"));
  EXPECT_THAT(says("# nobody\n"), HasSubstr("names no host"));
  const Ended few = Launch("-n 5 true");
  EXPECT_EQ(few.status, 2);
  EXPECT_THAT(few.text, HasSubstr("the hosts have 4 slots, fewer than 5 ranks"));
  EXPECT_THAT(Launch("true", "no_such_file").text, HasSubstr("no_such_file cannot be read"));
}

TEST(Hosts, MpirunStartsRanksToo) {
  const std::string hosts = Written("here", "localhost slots=3 address=127.0.0.1\n");
  const auto launch = [&](const std::string& rest) {
    return Shell(Environment() +
                 "OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_btl=self,vader "
                 "tools/switchyard launch --by mpirun --hosts " +
                 hosts + " " + rest);
  };
  Ended e = launch("-n 2 tests/collective/ranks battery");
  EXPECT_EQ(e.status, 0) << e.text;
  EXPECT_EQ(Count(e.text, " by mpi"), 2) << e.text;
  EXPECT_THAT(e.text, AllOf(HasSubstr("[0] compared"), HasSubstr("[1] compared")));
  e = launch(
      "sh -c 'if [ $OMPI_COMM_WORLD_RANK = 1 ]; then echo out of paper >&2; exit 7; fi; sleep 60'");
  EXPECT_EQ(e.status, 1);
  // mpirun does not always name the rank.
  const size_t last = std::min(e.text.find("switchyard: rank 1 has failed; it had said:"),
                               e.text.find("switchyard: mpirun has failed; rank 1 had said:"));
  ASSERT_NE(last, std::string::npos) << e.text;
  EXPECT_THAT(e.text.substr(last), HasSubstr("[1] out of paper"));
  EXPECT_LT(e.took, std::chrono::seconds(30));
}

// Two machines as far as their networks go: namespaces that a cable joins.
class Namespaces : public ::testing::Test {
 protected:
  void SetUp() override {
    const Ended made = Shell(
        "set -e; ip netns add sy-one; ip netns add sy-two; "
        "ip link add sy-a netns sy-one type veth peer name sy-b netns sy-two; "
        "ip -n sy-one addr add 10.99.87.1/24 dev sy-a; ip -n sy-two addr add 10.99.87.2/24 dev "
        "sy-b; for n in one two; do ip -n sy-$n link set lo up; done; "
        "ip -n sy-one link set sy-a up; ip -n sy-two link set sy-b up");
    if (made.status != 0) GTEST_SKIP() << "no network namespaces here: " << made.text;
  }
  void TearDown() override { Shell("ip netns del sy-one; ip netns del sy-two"); }
  static Ended LaunchThere(const std::string& rest) {
    return Launch(rest, Written("namespaces", "one address=10.99.87.1\ntwo address=10.99.87.2\n"),
                  StandIn("exec ip netns exec sy-$host sh -c \"$*\""));
  }
};

TEST_F(Namespaces, TheirRanksComputeTogether) {
  const Ended e = LaunchThere("tests/collective/ranks battery");
  EXPECT_EQ(e.status, 0) << e.text;
  EXPECT_EQ(Count(e.text, " by gloo"), 2) << e.text;
}

TEST_F(Namespaces, ARankThatIsKilledOnAnotherMachineIsNamed) {
  const Ended e = LaunchThere("--grace 3 tests/collective/ranks killed");
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.text, AllOf(HasSubstr("rank 0, group 'tp', call 3, all_reduce of float32[4], sum"),
                            HasSubstr("rank 1 has ended"),
                            HasSubstr("switchyard: rank 1 on two was killed by signal 9")));
}

}  // namespace
}  // namespace sy::collective
