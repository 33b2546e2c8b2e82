// Memory runs out at every allocation of recording and of backward: what was recorded so far goes,
// leaves and what was written are as they were or have their history, and the same works
// afterwards.

#include <absl/functional/function_ref.h>
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"
#include "tests/faults/memory/memory_short.h"
#include "tests/faults/memory/runs_out.h"

namespace sy {
namespace {

using testing::MemoryShort;
using testing::RunsOut;

// Fails run() at each of its allocations; check() afterwards, whether it has thrown or not.
int64_t FailEach(absl::FunctionRef<void()> run, absl::FunctionRef<void(bool threw)> check) {
  int64_t failures = 0;
  for (const auto how : {MemoryShort::kOnce, MemoryShort::kFromThenOn}) {
    for (int64_t n = 1;; ++n) {
      const bool threw = RunsOut(run, n, how);
      const int64_t refused = MemoryShort::failed();
      check(threw);
      failures += threw ? 1 : 0;
      if (refused == 0 || ::testing::Test::HasFailure()) break;
    }
  }
  return failures;
}

class GradientsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (SY_SANITIZED) GTEST_SKIP() << "the sanitizer has an allocator of its own";
  }
};

// A small network with views, writes, lists, several results and more dimensions than are kept
// inline.
Tensor Loss(const Tensor& x, const Tensor& w) {
  Tensor y = mul(relu(matmul(x, w)), 1);
  sigmoid_(select(y, 0, 1));
  y = cat(std::vector<Tensor>{y, mul(y, 2)}, 0);
  const Tensor most = std::get<0>(max(y, 1, false));
  const Tensor wide = sum(reshape(y, {1, 2, 1, 2, 1, 3}), {1, 3});
  return add(sum(mul(most, most)), sum(exp(wide)));
}

TEST_F(GradientsTest, RecordingAndBackwardLoseNothing) {
  const Tensor x0 = tensor({{1., -2.}, {3., .5}}), w0 = tensor({{1., .5, -1.}, {2., -.25, 1.}});
  const Tensor x = requires_grad_(clone(x0)), w = requires_grad_(clone(w0));
  backward(Loss(x, w));
  const Tensor of_x = clone(grad_of(x)), of_w = clone(grad_of(w));
  zero_grad(x);
  zero_grad(w);
  const int64_t nodes = LiveNodes();
  const int64_t failures = FailEach([&] { backward(Loss(x, w)); },
                                    [&](bool threw) {
                                      EXPECT_EQ(LiveNodes(), nodes);
                                      EXPECT_TRUE(equal(x, x0) && equal(w, w0));
                                      if (threw) {
                                        zero_grad(x);
                                        zero_grad(w);
                                        backward(Loss(x, w));
                                      }
                                      EXPECT_TRUE(equal(grad_of(x), of_x));
                                      EXPECT_TRUE(equal(grad_of(w), of_w));
                                      zero_grad(x);
                                      zero_grad(w);
                                    });
  EXPECT_GT(failures, 10);
}

// A write that ran has its history; one that did not has changed nothing.
TEST_F(GradientsTest, WritesHaveTheirHistoryOrDoNotHappen) {
  const auto of_whole = [](const Tensor& y) { exp_(y); };
  const auto of_view = [](const Tensor& y) { mul_(select(y, 4, 0), 3); };
  for (const auto& write : std::vector<void (*)(const Tensor&)>{of_whole, of_view}) {
    // More dimensions than are kept inline.
    const Tensor x = requires_grad_(reshape(tensor({1., -2., 3., .5}), {1, 2, 1, 1, 2}));
    Tensor y, was;
    const auto make = [&] {
      y = mul(x, 2);
      was = clone(detach(y));
    };
    make();
    write(y);
    const Tensor written = clone(detach(y));
    backward(sum(y));
    const Tensor gradient = clone(grad_of(x));
    zero_grad(x);
    make();
    const int64_t failures =
        FailEach([&] { write(y); },
                 [&](bool) {
                   const bool happened = !equal(detach(y), was);
                   EXPECT_TRUE(!happened || equal(detach(y), written));
                   backward(sum(y));
                   EXPECT_TRUE(equal(grad_of(x), happened ? gradient : full_like(x, 2)));
                   zero_grad(x);
                   make();
                 });
    EXPECT_GT(failures, 0);
  }
  EXPECT_EQ(LiveNodes(), 0);
}

}  // namespace
}  // namespace sy
