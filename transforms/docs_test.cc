// What docs/transforms.md shows.
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"
#include "switchyard/transforms/batching.h"
#include "switchyard/transforms/func.h"
#include "switchyard/transforms/vmap.h"

namespace sy {
namespace {

TEST(Docs, MapFunctions) {
  const Tensor x = randn({4, 3}), y = randn({4, 3});
  // Of two vectors; called with two tensors of rows.
  const auto dots = vmap([](const Tensor& a, const Tensor& b) { return dot(a, b); });
  const Tensor d = dots(x, y);  // [rows]
  // The batch is dimension 1 of x, and w is the same for all examples; it comes out as dimension 1.
  const auto scaled =
      vmap([](const Tensor& a, const Tensor& w) { return mul(a, w); }, {1, std::nullopt}, {1});
  EXPECT_TRUE(allclose(d, sum(mul(x, y), 1)));
  EXPECT_TRUE(equal(scaled(x, select(y, 1, 0)), mul(x, unsqueeze(select(y, 1, 0), 1))));
}

TEST(Docs, GiveGradientsOfEachExample) {
  const Tensor x = randn({4, 3}), w = randn({2, 3}), targets = randn({4, 2});
  const auto loss = [](const Tensor& w, const Tensor& row, const Tensor& target) {
    return mse_loss(mv(w, row), target);
  };
  const Tensor each = vmap(func::grad(loss), {std::nullopt, 0, 0})(w, x, targets);
  for (int64_t b = 0; b < 4; ++b) {
    EXPECT_TRUE(allclose(select(each, 0, b),
                         func::grad(loss)(w, select(x, 0, b), select(targets, 0, b)), 1e-4, 1e-5));
  }
}

// histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor, of one example: counts of
// all, as one-hot rows added up.
void Histogram(BatchCall& c) {
  const int64_t bins = c.args[1].i;
  const double min = c.args[2].scalar().To<double>(), max = c.args[3].scalar().To<double>();
  const Tensor x = reshape(c.value(0), {c.batch_size(), -1});  // [B, n]
  const Tensor bin = clamp(floor(mul(sub(x, min), bins / (max - min))), 0, bins - 1);
  const Tensor one_hot = eq(unsqueeze(bin, -1), arange(bins));
  c.Set(0, to(sum(one_hot, 1), x.dtype()));
}

TEST(Docs, WriteARule) {
  const Tensor x = rand({4, 50});
  const auto f = [](const Tensor& a) { return histc(a, 5, 0, 1); };
  const Tensor expected = vmap(f)(x);
  ResetVmapFallbacks();
  const Batching rule{"histc", Histogram};
  EXPECT_TRUE(equal(vmap(f)(x), expected));
  EXPECT_TRUE(VmapFallbacks().empty());
}

}  // namespace
}  // namespace sy
