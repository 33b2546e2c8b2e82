// Several threads record and run backward at once. Meant for builds with thread sanitizers, which
// see what a lucky order hides.
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/function.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr int kThreads = 6, kRounds = 40;

double Element(const Tensor& t, int64_t i) { return item(select(t, 0, i)).To<double>(); }

TEST(Threads, EachWithLeavesOfItsOwn) {
  InThreads(kThreads, [](int i) {
    const Tensor x = requires_grad_(tensor({1., 2., static_cast<double>(i)}));
    for (int round = 0; round < kRounds; ++round) {
      zero_grad(x);
      backward(sum(mul(x, exp(mul(x, 0)))));
      EXPECT_DOUBLE_EQ(Element(grad_of(x), 0), 1);
    }
  });
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Threads, GatherInTheLeavesTheyShare) {
  {
    const Tensor x = requires_grad_(tensor({1., 2., 3.}, DType::kFloat64));
    InThreads(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) backward(sum(mul(x, x)));
    });
    EXPECT_DOUBLE_EQ(Element(grad_of(x), 1), 4. * kThreads * kRounds);
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Threads, RunBackwardOverOneHistory) {
  {
    const Tensor x = requires_grad_(tensor({1., 2., 3.}, DType::kFloat64));
    Tensor y = x;
    for (int i = 0; i < 20; ++i) y = add(mul(y, 1.), sin(mul(y, 0.)));
    const Tensor loss = sum(y);
    InThreads(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) {
        const Tensor g = grad({&loss, 1}, {&x, 1}, {}, {.retain_graph = true})[0];
        EXPECT_DOUBLE_EQ(Element(g, 2), 1);
      }
    });
  }
  EXPECT_EQ(LiveNodes(), 0);
}

// Second derivatives add to the history that others run over.
TEST(Threads, DifferentiateOneHistoryAgain) {
  {
    const Tensor x = requires_grad_(tensor({1., 2., 3.}, DType::kFloat64));
    const Tensor loss = sum(mul(mul(x, x), x));
    InThreads(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) {
        const Tensor g = grad({&loss, 1}, {&x, 1}, {}, {.create_graph = true})[0];
        const Tensor total = sum(g);
        const Tensor second = grad({&total, 1}, {&x, 1}, {}, {.retain_graph = true})[0];
        EXPECT_DOUBLE_EQ(Element(second, 1), 12);
      }
    });
  }
  EXPECT_EQ(LiveNodes(), 0);
}

// Views of one base, written before they are made and looked at by all.
TEST(Threads, MakeAndRenewViewsOfOneBase) {
  {
    const Tensor x = requires_grad_(tensor({1., 2., 3.}, DType::kFloat64));
    const Tensor base = mul(x, 2);
    const Tensor early = slice(base, 0, 0, 2);
    mul_(base, 3);
    InThreads(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) {
        const Tensor late = slice(base, 0, 1, 3), loss = add(sum(early), sum(late));
        const Tensor g = grad({&loss, 1}, {&x, 1}, {}, {.retain_graph = true})[0];
        EXPECT_DOUBLE_EQ(Element(g, 1), 12);
      }
    });
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Threads, HooksAndGradientsThatAreKept) {
  {
    const Tensor x = requires_grad_(tensor({1., 2., 3.}, DType::kFloat64));
    const Tensor y = mul(x, x), loss = sum(y);
    retain_grad(y);
    InThreads(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) {
        auto hook = register_hook(y, [](const Tensor& g) { return mul(g, 1); });
        backward(loss, Tensor(), {.retain_graph = true});
        hook.Remove();
      }
    });
    EXPECT_DOUBLE_EQ(Element(grad_of(y), 0), kThreads * kRounds);  // retained ones add up
  }
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Threads, RunAgainWhatIsNotKept) {
  const auto cube = [](TensorList x) { return std::vector<Tensor>{mul(mul(x[0], x[0]), x[0])}; };
  InThreads(kThreads, [&](int) {
    const Tensor x = requires_grad_(tensor({1., 2., 3.}, DType::kFloat64));
    for (int round = 0; round < kRounds; ++round) {
      zero_grad(x);
      backward(sum(checkpoint(cube, {x})[0]));
      EXPECT_DOUBLE_EQ(Element(grad_of(x), 1), 12);
    }
  });
  EXPECT_EQ(LiveNodes(), 0);
}

}  // namespace
}  // namespace sy
