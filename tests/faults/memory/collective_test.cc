// Memory that runs out on one rank in a collective, at every allocation: for the result, for what
// is staged beside it, for what is queued, and for saying so. The rank's error is an Error that
// says that memory is out; the others' names the rank, and comes at once; nothing is lost.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "switchyard/collective/group.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/ops.h"
#include "tests/faults/memory/memory_short.h"

namespace sy::collective {
namespace {

using std::chrono::milliseconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using testing::MemoryShort;

constexpr int kRanks = 3, kShort = 1;  // the rank without memory
constexpr int64_t kRows = 3000;        // more than pools keep
constexpr milliseconds kSoon{5000}, kTimeout{60'000};

using namespace handles;  // NOLINT(google-build-using-namespace)
using Text = std::string_view;
constinit Handle<std::vector<Tensor>(TensorList, Text, Text)> all_reduce_coalesced{
    "_c10d_functional::all_reduce_coalesced"};
constinit Handle<Tensor(const Tensor&, int64_t, int64_t, Text)> scatter{"c10d::scatter"},
    gather{"c10d::gather"};

// What a rank gives to one call: of sizes [kRows, 2], of its number; the first columns, which have
// gaps; and as much for each rank, to be written.
struct Arguments {
  explicit Arguments(int rank)
      : x(full({kRows, 2}, rank + 1., DType::kFloat32)),
        gaps(narrow(x, 1, 0, 1)),
        room(narrow(zeros({kRows * kRanks, 2}, DType::kFloat32), 1, 0, 1)),
        one_room(narrow(room, 0, 0, kRows)),
        list{clone(x), gaps} {}
  Tensor x, gaps, room, one_room;
  std::array<Tensor, 2> list;
};
// Asks for no memory but the operator's. Returns what to look at.
struct Case {
  std::string op;
  std::function<Tensor(const Arguments&)> call;
  // So many allocations find the key of a call with a list, or the operator: who has no memory for
  // them is not in it yet, and does not know the group.
  int64_t before = 0;
};

std::vector<Case> Cases() {
  const std::vector<int64_t> parts(kRanks, kRows / kRanks);
  using A = Arguments;
  return {
      {"all_reduce", [](const A& a) { return all_reduce(a.x, "sum", "world"); }},
      {"all_reduce", [](const A& a) { return all_reduce(a.gaps, "avg", "world"); }},
      {"all_reduce_",
       [](const A& a) {
         all_reduce_(a.x, "sum", "world");
         return a.x;
       }},
      {"all_reduce_",
       [](const A& a) {
         all_reduce_(a.gaps, "sum", "world");
         return a.gaps;
       }},
      {"all_gather_into_tensor", [](const A& a) { return all_gather(a.x, kRanks, "world"); }},
      {"all_gather_into_tensor_out",
       [](const A& a) {
         all_gather_out(a.gaps, kRanks, "world", a.room);
         return a.room;
       }},
      {"reduce_scatter_tensor",
       [](const A& a) { return reduce_scatter(a.x, "sum", kRanks, "world"); }},
      {"all_to_all_single", [=](const A& a) { return all_to_all(a.x, parts, parts, "world"); }},
      {"alltoall_base_",
       [=](const A& a) {
         all_to_all_(a.one_room, a.gaps, parts, parts, "world");
         return a.one_room;
       }},
      {"broadcast", [](const A& a) { return broadcast(a.gaps, 0, "world"); }},
      {"all_reduce_coalesced",
       [](const A& a) { return all_reduce_coalesced(a.list, "sum", "world")[1]; }, 2},
      {"all_reduce_coalesced, looked up anew",
       [](const A& a) {
         const Handle<std::vector<Tensor>(TensorList, Text, Text)> unbound{
             "_c10d_functional::all_reduce_coalesced"};
         return unbound(a.list, "sum", "world")[1];
       },
       1000},
      {"c10d::scatter", [](const A& a) { return scatter(a.x, 0, kRanks, "world"); }},
      {"c10d::gather", [](const A& a) { return gather(a.gaps, 2, kRanks, "world"); }},
  };
}

// What became of one call, of which allocation n of rank kShort failed.
struct Attempt {
  int64_t refused = 0;
  std::array<std::string, kRanks> during, after;  // what the call, and the next one, threw
  std::array<std::vector<float>, kRanks> results;
};

std::vector<float> Numbers(const Tensor& t) {
  const Tensor flat = contiguous(t);
  return {flat.data<float>(), flat.data<float>() + flat.numel()};
}

class NoMemory : public ::testing::TestWithParam<std::tuple<int64_t, bool, bool>> {
 protected:
  void SetUp() override {
    if (SY_SANITIZED) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  }
  // Runs the call on three ranks. warm: after it was made once.
  static Attempt Make(const Case& c, int64_t nth, MemoryShort::How how) {
    const auto [inline_bytes, check, warm] = GetParam();
    Attempt a;
    RunRanks(kRanks,
             [&, warm = warm](int rank) {
               const auto me = static_cast<size_t>(rank);
               if (warm) c.call(Arguments(rank));
               const Arguments arguments(rank);
               call("c10d::barrier", "world");
               std::optional<Tensor> y;
               std::optional<Error> error;
               try {
                 const MemoryShort memory(rank == kShort ? nth : MemoryShort::kNever, how);
                 y = c.call(arguments);
               } catch (const Error& e) {
                 error = e;
               }
               if (rank == kShort) a.refused = MemoryShort::failed();
               try {
                 if (error) throw Error(*error);
                 a.results[me] = Numbers(*y);
               } catch (const Error& e) {
                 a.during[me] = e.what();
                 if (rank == kShort) {
                   EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << e.what();
                 }
               }
               try {
                 call("c10d::barrier", "world");
               } catch (const Error& e) {
                 a.after[me] = e.what();
               }
             },
             {.timeout = kTimeout, .check = check, .inline_bytes = inline_bytes});
    return a;
  }
};
INSTANTIATE_TEST_SUITE_P(QueuedOrAtOnceCheckedOrNotWarmOrCold, NoMemory,
                         ::testing::Combine(::testing::Values(0, 1 << 20), ::testing::Bool(),
                                            ::testing::Bool()));

TEST_P(NoMemory, OnOneRankIsAnErrorOnAllWhichNamesIt) {
  int failures = 0;
  for (const Case& c : Cases()) {
    const Attempt with = Make(c, MemoryShort::kNever, MemoryShort::kOnce);
    for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
      for (int64_t n = 1;; ++n) {
        SCOPED_TRACE(c.op + ", allocation " + std::to_string(n) +
                     (how == MemoryShort::kOnce ? "" : " and all after it"));
        const auto start = std::chrono::steady_clock::now();
        const Attempt a = Make(c, n, how);
        EXPECT_LT(std::chrono::steady_clock::now() - start, kSoon);
        if (a.during[kShort].empty()) {  // there was another way
          EXPECT_EQ(a.results, with.results);
          for (const std::string& next : a.after) EXPECT_EQ(next, "");
        } else {
          ++failures;
          EXPECT_THAT(a.during[kShort], HasSubstr("out of memory"));
          const bool entered = n > c.before;
          if (how == MemoryShort::kOnce && entered) {
            EXPECT_THAT(a.during[kShort],
                        AllOf(HasSubstr("::"), HasSubstr("(): rank 1, group 'world'")));
          }
          for (const int other : {0, 2}) {
            const auto r = static_cast<size_t>(other);
            const std::string& said = a.during[r].empty() ? a.after[r] : a.during[r];
            EXPECT_THAT(said, AllOf(HasSubstr("rank " + std::to_string(other) + ", group 'world'"),
                                    HasSubstr("rank 1 has failed after call "), HasSubstr("::"),
                                    HasSubstr("out of memory")));
          }
          EXPECT_NE(a.after[kShort], "");
        }
        if (a.refused == 0 || HasFailure()) break;
      }
    }
    ASSERT_FALSE(HasFailure());
  }
  EXPECT_GT(failures, 20);
}

// A group is made by all of its ranks or by none: the others hear at once why, and nothing else is
// broken.
class NoMemoryForAGroup : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(OnTheFirstRankOrAnother, NoMemoryForAGroup, ::testing::Values(0, 1));

TEST_P(NoMemoryForAGroup, IsAnErrorOnAllRanksAndTheNextGroupIsMade) {
  if (SY_SANITIZED) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  const int without = GetParam();
  const std::vector<int> all = {0, 1, 2};
  int failures = 0;
  for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
    int64_t refused = 1;
    for (int64_t n = 1; refused != 0 && !HasFailure(); ++n) {
      SCOPED_TRACE("allocation " + std::to_string(n));
      std::array<std::string, kRanks> said;
      std::array<ErrorCode, kRanks> codes = {};
      const auto start = std::chrono::steady_clock::now();
      RunRanks(kRanks,
               [&](int rank) {
                 const auto me = static_cast<size_t>(rank);
                 barrier("world");
                 try {
                   const MemoryShort memory(rank == without ? n : MemoryShort::kNever, how);
                   NewGroup("tp", all);
                 } catch (const Error& e) {
                   said[me] = e.what();
                   codes[me] = e.code();
                 }
                 if (rank == without) refused = MemoryShort::failed();
                 if (!said[me].empty()) {
                   EXPECT_EQ(FindGroup("tp"), nullptr);
                   NewGroup("tp", all);
                 }
                 EXPECT_EQ(all_reduce(ones({2}), "sum", "tp").at<float>(1), kRanks);
                 barrier("world");
               },
               {.timeout = kTimeout});
      EXPECT_LT(std::chrono::steady_clock::now() - start, kSoon);
      failures += said[0].empty() ? 0 : 1;
      for (int r = 0; r < kRanks; ++r) {
        const auto i = static_cast<size_t>(r);
        const std::string in = "NewGroup(): rank " + std::to_string(r) + ", group 'tp': ";
        if (said[0].empty()) {
          EXPECT_EQ(said[i], "");
        } else if (r == without) {
          EXPECT_EQ(codes[i], ErrorCode::kOutOfMemory);
          EXPECT_EQ(said[i], how == MemoryShort::kOnce ? in + "out of memory"
                                                       : std::string("out of memory"));
        } else {
          EXPECT_EQ(codes[i], ErrorCode::kUnavailable);
          EXPECT_EQ(said[i], in + "rank " + std::to_string(without) + " has failed: out of memory");
        }
      }
    }
  }
  EXPECT_GT(failures, 10);
}

// What all ranks have no memory for breaks nothing: they may go on with less.
TEST(Memory, ThatNoRankHasBreaksNothing) {
  RunRanks(kRanks,
           [](int) {
             const Tensor x = expand(ones({1}), {int64_t{1} << 50});
             for (int i = 0; i < 2; ++i) {
               EXPECT_THROW(all_reduce(x, "sum", "world"), Error);
               EXPECT_EQ(all_reduce(ones({2}), "sum", "world").at<float>(1), kRanks);
             }
           },
           {.timeout = kTimeout});
}

// A message that could not be sent, or taken, may be sent and taken again.
TEST(Memory, ThatIsMissingForAMessageLosesNone) {
  if (SY_SANITIZED) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  for (int64_t n = 1, more = 1; more != 0 && !::testing::Test::HasFailure(); ++n) {
    RunRanks(2,
             [&](int rank) {
               const Tensor x = full({kRows, 2}, rank + 1.), part = narrow(x, 1, 0, 1);
               const auto once = [&](auto message) {
                 bool failed = false;
                 try {
                   const MemoryShort memory(n, MemoryShort::kFromThenOn);
                   message();
                 } catch (const Error& e) {
                   EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << e.what();
                   failed = true;
                 }
                 if (rank == 0) more = MemoryShort::failed();
                 if (failed) message();
               };
               if (rank == 0) {
                 once([&] { call("c10d::send", part, 1, 0, "world"); });
               } else {
                 once([&] { call("c10d::recv_", part, 0, 0, "world"); });
                 EXPECT_TRUE(equal(x, mul(ones({kRows, 2}), tensor({1., 2.}))));
               }
               call("c10d::barrier", "world");
             },
             {.timeout = kTimeout});
  }
}

}  // namespace
}  // namespace sy::collective
