// Ranks that are threads, and threads of a rank, on the heart alone: what the thread sanitizer is
// asked about (tools/test.sh). What is computed, of every dtype, is in operators_test.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "collective/testing.h"
#include "switchyard/collective/group.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/error.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/op/kernel.h"
#include "switchyard/op/operator.h"

namespace sy::collective {
namespace {

using std::chrono::milliseconds;
using ::testing::Each;
using ::testing::HasSubstr;
using namespace handles;

// Of tensors without gaps, as all here are.
void Copy(Call, const Tensor& self, const Tensor& src, bool) {
  std::memcpy(self.data(), src.data(), src.nbytes());
}
const Operator copy_op{"copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)"};
const Composite copy_body{"copy_", Copy};

constexpr int kRanks = 3;
constexpr int64_t kNumbers = 30'000;

Tensor Full(float x, int64_t n = kNumbers) {
  Tensor t = Tensor::Empty({n}, DType::kFloat32);
  std::fill_n(t.data<float>(), n, x);
  return t;
}
void ExpectFull(const Tensor& t, float x, int64_t from = 0, int64_t n = kNumbers) {
  const float* at = wait_tensor(t).data<float>() + from;
  EXPECT_EQ(std::count(at, at + n, x), n) << at[0] << ", expected " << x;
}

class Threads : public ::testing::TestWithParam<int64_t> {
 protected:
  static GroupOptions Options(milliseconds timeout = milliseconds(60'000), bool check = false) {
    return {.timeout = timeout, .check = check, .inline_bytes = GetParam()};
  }
};
INSTANTIATE_TEST_SUITE_P(QueuedOrAtOnce, Threads, ::testing::Values(0, 1 << 20));

TEST_P(Threads, ExchangeWhatTheyHave) {
  for (const bool check : {false, true}) {
    RunRanks(
        kRanks,
        [](int rank) {
          const std::vector<int64_t> parts(kRanks, kNumbers / kRanks);
          for (int i = 0; i < 10; ++i) {
            const float mine = static_cast<float>(10 * i + rank), first = 10.0F * i;
            const Tensor x = Full(mine), whole = Full(mine, kNumbers * kRanks);
            const Tensor sum = all_reduce(x, "sum", "world");
            const Tensor all = all_gather(x, kRanks, "world");
            const Tensor part = reduce_scatter(whole, "max", kRanks, "world");
            const Tensor mixed = all_to_all(x, parts, parts, "world");
            const Tensor sent = broadcast(x, 1, "world");
            std::fill_n(x.data<float>(), kNumbers, -1);  // the input is done with
            ExpectFull(sum, 3 * first + 3);
            ExpectFull(part, first + 2);
            ExpectFull(sent, first + 1);
            for (int r = 0; r < kRanks; ++r) {
              const float theirs = first + static_cast<float>(r);
              ExpectFull(all, theirs, r * kNumbers);
              ExpectFull(mixed, theirs, r * parts[0], parts[0]);
            }
            all_reduce_(x, "sum", "world");
            ExpectFull(x, -3);
            barrier("world");
          }
        },
        Options(milliseconds(60'000), check));
  }
}

TEST_P(Threads, OfOneRankCallInAnyOrder) {
  RunRanks(
      kRanks,
      [](int) {
        Group& world = GroupOf("world");
        const auto work = [&] {
          const AsRank me(world);
          for (int i = 0; i < 20; ++i) ExpectFull(all_reduce(Full(1), "sum", "world"), 3);
        };
        std::vector<std::thread> all;
        all.reserve(3);
        for (int i = 0; i < 3; ++i) all.emplace_back(work);
        for (std::thread& t : all) t.join();
      },
      Options());
}

TEST_P(Threads, MakeAndLeaveGroupsWhileTheyCall) {
  RunRanks(
      kRanks,
      [](int rank) {
        for (int i = 0; i < 50; ++i) {
          const std::vector<int> two = {i % kRanks, (i + 1) % kRanks};
          if (NewGroup("pair", two) != nullptr) {
            ExpectFull(all_reduce(Full(1), "sum", "pair"), 2);
            DestroyGroup("pair");
          }
          const Tensor x = Full(static_cast<float>(rank));
          const int next = (rank + 1) % kRanks, last = (rank + kRanks - 1) % kRanks;
          call("c10d::send", x, next, i, "world");
          call("c10d::recv_", x, last, i, "world");
          ExpectFull(x, static_cast<float>(last));
        }
      },
      Options());
}

TEST_P(Threads, HearOfThoseThatFail) {
  const auto reduce = [](const char* op = "sum") {
    ExpectFull(all_reduce(Full(1), op, "world"), 3);
  };
  std::vector<std::string> said = MessagesOf(
      kRanks,
      [&](int rank) {
        for (int i = 0; i < 3; ++i) reduce();
        if (rank == 1) throw std::runtime_error("rank 1 has ended");
        reduce();
      },
      Options());
  EXPECT_THAT(said, Each(HasSubstr("rank 1 has ended")));
  said = MessagesOf(
      kRanks,
      [&](int rank) {
        reduce();
        try {
          if (rank == 2) reduce("summ");
        } catch (const Error&) {
        }
        reduce();
      },
      Options());
  EXPECT_THAT(said, Each(HasSubstr("rank 2 has failed after call 1: ")));
  said = MessagesOf(
      kRanks,
      [&](int rank) {
        reduce();
        if (rank == 0) std::this_thread::sleep_for(milliseconds(1500));
        reduce();
      },
      Options(milliseconds(300)));
  EXPECT_THAT(said, Each(HasSubstr("within 300 ms; not arrived: rank 0")));
  said = MessagesOf(
      kRanks, [](int rank) { wait_tensor(all_reduce(Full(1, 10 + rank), "sum", "world")); },
      Options());
  EXPECT_THAT(said, Each(HasSubstr("calls do not match")));
}

}  // namespace
}  // namespace sy::collective
