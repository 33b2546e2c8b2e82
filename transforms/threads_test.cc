// Several threads batch, differentiate and carry tangents at once, each in levels of its own. Meant
// for builds with thread sanitizers, which see what a lucky order hides.
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/func.h"
#include "switchyard/transforms/vmap.h"

namespace sy {
namespace {

constexpr int kThreads = 6, kRounds = 30;

Tensor Rows() { return tensor({{1., 2., 3.}, {4., 5., 6.}}, DType::kFloat64); }
Tensor Cubes(const Tensor& x) { return sum(mul(mul(x, x), x)); }

TEST(Threads, GradientsOfEachExample) {
  const Tensor x = Rows(), expected = mul(mul(x, x), 3);
  InThreads(kThreads, [&](int) {
    for (int round = 0; round < kRounds; ++round)
      EXPECT_TRUE(allclose(vmap(func::grad(Cubes))(x), expected));
  });
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Threads, TangentsAndHessians) {
  const Tensor x = select(Rows(), 0, 0), t = select(Rows(), 0, 1);
  const TensorFunction f = [](TensorList y) { return std::vector<Tensor>{Cubes(y[0])}; };
  const Tensor along = sum(mul(mul(mul(x, x), 3), t)), second = diag(mul(x, 6));
  InThreads(kThreads, [&](int) {
    for (int round = 0; round < kRounds; ++round) {
      EXPECT_TRUE(allclose(func::jvp(f, {&x, 1}, {&t, 1}).tangents[0], along));
      EXPECT_TRUE(allclose(func::hessian(Cubes)(x), second));
    }
  });
  EXPECT_EQ(LiveNodes(), 0);
}

// What has no rule is counted by all.
TEST(Threads, CountWhatIsCalledForEachExample) {
  ResetVmapFallbacks();
  const Tensor x = Rows();
  InThreads(kThreads, [&](int) {
    for (int round = 0; round < kRounds; ++round)
      vmap([](const Tensor& row) { return histc(row, 3); })(x);
  });
  EXPECT_EQ(VmapFallbacks().at("histc"), kThreads * kRounds);
}

}  // namespace
}  // namespace sy
