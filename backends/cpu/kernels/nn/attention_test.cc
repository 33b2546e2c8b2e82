#include <gtest/gtest.h>

#include <cmath>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/generator.h"

namespace sy {
namespace {

// By products and softmax, in float64.
Tensor Expected(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& added) {
  const auto wide = [](const Tensor& t) { return to(t, DType::kFloat64); };
  Tensor scores = div(matmul(wide(q), transpose(wide(k), -2, -1)), std::sqrt(q.size(-1)));
  if (added.defined()) scores = add(scores, added);
  return to(matmul(_safe_softmax(scores, -1), wide(v)), q.dtype());
}
Tensor Causal(int64_t l, int64_t s) {
  const Tensor later = gt(arange(s), unsqueeze(arange(l), 1));
  return masked_fill(zeros({l, s}, DType::kFloat64), later, -INFINITY);
}

// More than one block of queries and of keys.
TEST(Attention, OfSeveralBlocksIsThatOfWholeMatrices) {
  manual_seed(0);
  const Tensor q = randn({2, 3, 150, 16}), k = randn({2, 3, 1100, 16}), v = randn({2, 3, 1100, 24});
  const Tensor out = scaled_dot_product_attention(q, k, v);
  EXPECT_TRUE(allclose(out, Expected(q, k, v, {}), 1e-4, 1e-5));
  EXPECT_TRUE(out.is_contiguous());  // lies as the query does
  EXPECT_TRUE(allclose(scaled_dot_product_attention(q, k, v, {}, 0, /*is_causal=*/true),
                       Expected(q, k, v, Causal(150, 1100)), 1e-4, 1e-5));
}

TEST(Attention, TakesMasksThatBroadcast) {
  manual_seed(0);
  const Tensor q = randn({2, 3, 70, 8});
  const Tensor added = mul(randn({2, 1, 1, 70}), 3), allowed = lt(randn({70, 70}), 0.5);
  EXPECT_TRUE(
      allclose(scaled_dot_product_attention(q, q, q, added), Expected(q, q, q, added), 1e-4, 1e-5));
  const Tensor hidden =
      masked_fill(zeros({70, 70}, DType::kFloat64), logical_not(allowed), -INFINITY);
  EXPECT_TRUE(allclose(scaled_dot_product_attention(q, q, q, allowed), Expected(q, q, q, hidden),
                       1e-4, 1e-5));
  const Tensor rows = randn({3, 70, 1});  // one number for all keys
  EXPECT_TRUE(
      allclose(scaled_dot_product_attention(q, q, q, rows), Expected(q, q, q, rows), 1e-4, 1e-5));
}

TEST(Attention, OfRowsThatSeeNothingIsZero) {
  const Tensor q = ones({1, 1, 2, 4}), none = zeros({2, 2}, DType::kBool);
  EXPECT_TRUE(item(all(eq(scaled_dot_product_attention(q, q, q, none), 0))).To<bool>());
}

TEST(Attention, SharesKeysAndValuesBetweenGroupsOfHeads) {
  manual_seed(0);
  const Tensor q = randn({2, 4, 9, 8}), k = randn({2, 2, 11, 8}), v = randn({2, 2, 11, 8});
  const auto twice = [](const Tensor& t) {
    return reshape(expand(unsqueeze(t, 2), {2, 2, 2, 11, 8}), {2, 4, 11, 8});
  };
  const Tensor out = scaled_dot_product_attention(q, k, v, {}, 0, false, std::nullopt,
                                                  /*enable_gqa=*/true);
  EXPECT_TRUE(allclose(out, Expected(q, twice(k), twice(v), {}), 1e-4, 1e-5));
}

TEST(Attention, DoesNotDependOnThreads) {
  manual_seed(0);
  const Tensor q = to(randn({2, 3, 130, 16}), DType::kBFloat16);
  const Tensor before = scaled_dot_product_attention(q, q, q);
  const ThreadsScope one(1);
  EXPECT_TRUE(SameBytes(scaled_dot_product_attention(q, q, q), before));
}

}  // namespace
}  // namespace sy
