// Groups, and what happens when ranks end, stop, or call different things.
#include "switchyard/collective/group.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "collective/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy::collective {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::HasSubstr;

Tensor AllReduce(const Tensor& x, const char* group, const char* op = "sum") {
  return call("_c10d_functional::all_reduce", x, op, group).take();
}

TEST(Groups, AreFoundByNameAndKnowTheirRanks) {
  RunRanks(4, [](int rank) {
    Group* even = NewGroup("even", {{2, 0}});
    ASSERT_EQ(even != nullptr, rank % 2 == 0);
    EXPECT_EQ(FindGroup("0"), &GroupOf("world"));
    EXPECT_EQ(RankIn(GroupOf("world")), rank);
    EXPECT_EQ(SizeOf(GroupOf("world")), 4);
    EXPECT_EQ(EngineOf(GroupOf("world")), "local");
    if (even != nullptr) {
      EXPECT_EQ(RankIn(*even), rank == 2 ? 0 : 1);
      EXPECT_EQ(AllReduce(tensor({rank}), "even").item<int>(), 2);
      const Tensor order =
          call("_c10d_functional::all_gather_into_tensor", tensor({rank}), 2, "even");
      EXPECT_EQ(order.at<int64_t>(0), 2);
      EXPECT_EQ(CallsOf(*even), 2U);
      DestroyGroup("even");
    }
    EXPECT_EQ(FindGroup("even"), nullptr);
  });
}

TEST(Groups, AreMadeAndFreedByTenThousands) {
  RunRanks(2, [](int rank) {
    for (int i = 0; i < 10'000; ++i) {
      NewGroup("some", {{0, 1}});
      if (i % 1000 == 0) {
        EXPECT_EQ(AllReduce(tensor({rank}), "some").item<int>(), 1);
      }
      DestroyGroup("some");
    }
  });
}

TEST(Groups, RefuseBadNamesAndRanks) {
  RunRanks(2, [](int) {
    const std::vector<int> both = {0, 1}, far = {0, 2}, twice = {1, 1}, none;
    EXPECT_THROW(NewGroup("world", both), Error);
    EXPECT_THROW(NewGroup("", both), Error);
    EXPECT_THROW(NewGroup("g", far), Error);
    EXPECT_THROW(NewGroup("g", twice), Error);
    EXPECT_THROW(NewGroup("g", none), Error);
    EXPECT_THROW(DestroyGroup("g"), Error);
    NewGroup("g", both);
    EXPECT_THROW(NewGroup("g", both), Error);
  });
  EXPECT_THROW(NewGroup("g", std::vector<int>{0}), Error);
  EXPECT_THROW(RunRanks(0, [](int) {}), Error);
}

TEST(Groups, AreMadeByAllOfTheirRanksOrByNone) {
  RunRanks(
      3,
      [](int rank) {
        const std::vector<int> all = {0, 1, 2}, twice = {1, 2, 1};
        const auto says = [&](std::string_view name, const std::vector<int>& ranks) {
          return MessageOf([&] { NewGroup(name, ranks); });
        };
        EXPECT_THAT(says("tp", rank == 1 ? twice : all),
                    AllOf(HasSubstr("NewGroup(): rank " + std::to_string(rank) + ", group 'tp': "),
                          HasSubstr("rank 1 is there twice")));
        EXPECT_THAT(says(rank == 2 ? "dp" : "tp", all),
                    HasSubstr("ranks make different groups: rank 0 'tp' of ranks [0, 1, 2], rank "
                              "2 'dp' of ranks [0, 1, 2]"));
        EXPECT_EQ(says("tp", all), "nothing was thrown");
        EXPECT_EQ(AllReduce(tensor({rank}), "tp").item<int>(), 3);
      },
      {.timeout = milliseconds(60'000)});
  const std::vector<std::string> said = MessagesOf(2,
                                                   [](int rank) {
                                                     if (rank == 1)
                                                       throw std::runtime_error("gone");
                                                     NewGroup("tp", {{0, 1}});
                                                   },
                                                   {.timeout = milliseconds(60'000)});
  EXPECT_EQ(said[0], "NewGroup(): rank 0, group 'tp': rank 1 has ended");
}

TEST(Groups, OfOneNeedNobody) {
  RunRanks(1, [](int) {
    EXPECT_EQ(AllReduce(tensor({3.}), "world", "avg").item<double>(), 3);
    EXPECT_THROW(call("c10d::send", ones({1}), 0, 0, "world"), Error);
  });
}

TEST(Groups, ThatAreBusyStay) {
  RunRanks(2, [](int rank) {
    NewGroup("slow", {{0, 1}}, {.inline_bytes = 0});
    if (rank == 0) {
      const Tensor y = AllReduce(ones({1}), "slow");
      EXPECT_THROW(DestroyGroup("slow"), Error);
      call("c10d::barrier", "world");
      EXPECT_EQ(y.item<float>(), 2);
    } else {
      call("c10d::barrier", "world");
      EXPECT_EQ(AllReduce(ones({1}), "slow").item<float>(), 2);
    }
  });
}

TEST(Threads, OfARankSayThatTheyAreIt) {
  RunRanks(2, [](int rank) {
    Group& g = GroupOf("world");
    std::thread([&] {
      EXPECT_EQ(FindGroup("world"), nullptr);
      const AsRank me(g);
      EXPECT_EQ(AllReduce(tensor({rank}), "world").item<int>(), 1);
    }).join();
  });
}

class Faults : public ::testing::TestWithParam<int64_t> {
 protected:
  GroupOptions Options(int ms) const {
    return {.timeout = milliseconds(ms), .inline_bytes = GetParam()};
  }
};
INSTANTIATE_TEST_SUITE_P(QueuedOrAtOnce, Faults, ::testing::Values(0, 1 << 20));

TEST_P(Faults, ARankThatThrowsIsNamedByTheOthers) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> said = MessagesOf(
      3,
      [](int rank) {
        NewGroup("tp", {{0, 1, 2}});
        for (int i = 0; i < 3; ++i) {
          if (rank == 1 && i == 2) throw std::runtime_error("out of paper");
          EXPECT_EQ(AllReduce(ones({2, 2}), "tp").at<float>(0, 0), 3);
        }
      },
      Options(60'000));
  EXPECT_EQ(said[1], "out of paper");
  for (const int survivor : {0, 2}) {
    EXPECT_THAT(said[static_cast<size_t>(survivor)],
                AllOf(HasSubstr("rank " + std::to_string(survivor) + ", group 'tp', call 3, "),
                      HasSubstr("all_reduce of float32[4], sum"), HasSubstr("rank 1 has ended")));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_P(Faults, ARankThatStopsIsNamedAtTheDeadline) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> said = MessagesOf(
      3,
      [](int rank) {
        AllReduce(ones({1}), "world");
        if (rank == 2) {
          std::this_thread::sleep_for(milliseconds(1500));
          return;
        }
        AllReduce(ones({1}), "world").item<float>();
      },
      Options(500));
  for (const int waits : {0, 1}) {
    EXPECT_THAT(
        said[static_cast<size_t>(waits)],
        AllOf(HasSubstr("call 2"), HasSubstr("within 500 ms"), HasSubstr("not arrived: rank 2")));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(4));
}

TEST_P(Faults, ARankWhoseArgumentsAreRefusedIsNamedByTheOthers) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<std::string> said = MessagesOf(
      3,
      [](int rank) {
        AllReduce(ones({1}), "world");
        if (rank == 1) {
          EXPECT_THROW(AllReduce(ones({1}), "world", "summ"), Error);
        }
        AllReduce(ones({1}), "world").item<float>();
      },
      Options(60'000));
  EXPECT_THAT(said, Each(AllOf(HasSubstr("group 'world', call 2, all_reduce of float32[1], sum: "),
                               HasSubstr("rank 1 has failed after call 1: "),
                               HasSubstr("all_reduce(): reduce_op is 'summ'"))));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

TEST_P(Faults, WhatEveryRankIsRefusedBreaksNothing) {
  const std::vector<std::string> said = MessagesOf(
      3,
      [](int rank) {
        for (int i = 0; i < 3; ++i) {
          EXPECT_THROW(AllReduce(ones({1}), "world", "summ"), Error);
          EXPECT_THROW(call("_c10d_functional::all_gather_into_tensor", ones({1}), 7, "world"),
                       Error);
          EXPECT_EQ(AllReduce(tensor({rank}), "world").item<int>(), 3);
        }
      },
      Options(60'000));
  EXPECT_THAT(said, Each(std::string()));
}

TEST_P(Faults, ABrokenGroupSaysSoAtOnce) {
  MessagesOf(
      2,
      [](int rank) {
        if (rank == 1) throw std::runtime_error("gone");
        EXPECT_THROW(AllReduce(ones({1}), "world").item<float>(), Error);
        const auto start = std::chrono::steady_clock::now();
        try {
          AllReduce(ones({1}), "world").item<float>();
          ADD_FAILURE();
        } catch (const Error& e) {
          EXPECT_THAT(e.what(), AllOf(HasSubstr("of no use any more"), HasSubstr("call 1")));
          EXPECT_EQ(e.code(), ErrorCode::kUnavailable);
        }
        EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(1));
      },
      Options(60'000));
}

TEST_P(Faults, CallsThatDoNotMatchAreNamedBoth) {
  for (const bool check : {false, true}) {
    GroupOptions options = Options(60'000);
    options.check = check;
    const std::vector<std::string> said = MessagesOf(
        2,
        [](int rank) {
          if (rank == 0) {
            AllReduce(ones({8}), "world").item();
          } else {
            call("_c10d_functional::broadcast", ones({4}), 0, "world").tensor().item();
          }
        },
        options);
    EXPECT_THAT(said,
                Each(AllOf(HasSubstr("calls do not match"), HasSubstr("all_reduce of float32[8]"),
                           HasSubstr("broadcast of float32[4]"))));
    EXPECT_THAT(said[1], HasSubstr("rank 1, group 'world', call 1"));
  }
}

TEST_P(Faults, SizesAndSplitsThatDoNotMatchAreNamed) {
  for (const bool check : {false, true}) {
    GroupOptions options = Options(60'000);
    options.check = check;
    std::vector<std::string> said = MessagesOf(
        2, [](int rank) { AllReduce(ones({4 + rank}), "world").item(); }, options);
    EXPECT_THAT(said, Each(AllOf(HasSubstr("float32[4]"), HasSubstr("float32[5]"))));
    said = MessagesOf(
        2,
        [](int rank) {
          const std::vector<int64_t> sent = {1, 3}, taken = {1, rank == 0 ? 1 : 3};
          sum(call("_c10d_functional::all_to_all_single", ones({4}), taken, sent, "world")
                  .tensor());
        },
        options);
    EXPECT_THAT(said, Each(HasSubstr("rank 0 sends 3 elements to rank 1, which expects")));
  }
}

TEST(Messages, OfOtherSizesOrFromNobodyAreErrors) {
  const std::vector<std::string> said =
      MessagesOf(2,
                 [](int rank) {
                   if (rank == 0) {
                     call("c10d::send", ones({3}), 1, 0, "world");
                   } else {
                     EXPECT_THROW(call("c10d::recv_", ones({4}), 0, 0, "world"), Error);
                     call("c10d::recv_", ones({4}), 0, 1, "world");
                   }
                 },
                 {.timeout = milliseconds(60'000)});
  EXPECT_THAT(said[1], AllOf(HasSubstr("rank 1, group 'world', message 2, recv of float32[4] from "
                                       "rank 0, tag 1"),
                             HasSubstr("rank 0 has ended")));
}

}  // namespace
}  // namespace sy::collective
