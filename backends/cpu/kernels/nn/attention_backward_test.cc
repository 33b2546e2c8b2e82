#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <tuple>

#include "switchyard/core/generator.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using Gradients = std::tuple<Tensor, Tensor, Tensor>;

// By whole matrices, in float64.
Gradients Expected(const Tensor& grad, const Tensor& q, const Tensor& k, const Tensor& v,
                   const Tensor& added) {
  const auto wide = [](const Tensor& t) { return to(t, DType::kFloat64); };
  const double scale = 1 / std::sqrt(static_cast<double>(q.size(3)));
  Tensor scores = mul(matmul(wide(q), transpose(wide(k), 2, 3)), scale);
  if (added.defined()) scores = add(scores, added);
  const Tensor weights = _safe_softmax(scores, -1);
  const Tensor of_weights = matmul(wide(grad), transpose(wide(v), 2, 3));
  const Tensor of_scores = mul(
      mul(weights, sub(of_weights, sum(mul(weights, of_weights), {3}, /*keepdim=*/true))), scale);
  return {matmul(of_scores, wide(k)), matmul(transpose(of_scores, 2, 3), wide(q)),
          matmul(transpose(weights, 2, 3), wide(grad))};
}
Gradients Computed(const Tensor& grad, const Tensor& q, const Tensor& k, const Tensor& v,
                   const Tensor& mask, bool causal = false) {
  const auto [out, sums] =
      _scaled_dot_product_flash_attention_for_cpu(q, k, v, 0, causal, mask, std::nullopt);
  return _scaled_dot_product_flash_attention_for_cpu_backward(grad, q, k, v, out, sums, 0, causal,
                                                              mask, std::nullopt);
}
void ExpectClose(const Gradients& got, const Gradients& expected, double tolerance) {
  const auto near = [&](const Tensor& a, const Tensor& b) {
    return allclose(to(a, DType::kFloat64), b, tolerance, tolerance);
  };
  EXPECT_TRUE(near(std::get<0>(got), std::get<0>(expected)));
  EXPECT_TRUE(near(std::get<1>(got), std::get<1>(expected)));
  EXPECT_TRUE(near(std::get<2>(got), std::get<2>(expected)));
}
Tensor Hidden(const Tensor& where) {
  return masked_fill(zeros(where.sizes(), DType::kFloat64), where, -INFINITY);
}

// More than one block of queries.
TEST(AttentionBackward, OfSeveralBlocksIsThatOfWholeMatrices) {
  manual_seed(0);
  const Tensor q = randn({1, 2, 1100, 8}), k = randn({1, 2, 2100, 8}), v = randn({1, 2, 2100, 12});
  const Tensor grad = randn({1, 2, 1100, 12});
  ExpectClose(Computed(grad, q, k, v, {}), Expected(grad, q, k, v, {}), 1e-4);
}

TEST(AttentionBackward, TakesMasks) {
  manual_seed(0);
  const Tensor q = randn({2, 3, 20, 8}), grad = randn({2, 3, 20, 8});
  const Tensor added = randn({2, 1, 1, 20}), allowed = lt(randn({20, 20}), 0.5);
  const Tensor later = gt(arange(20), unsqueeze(arange(20), 1));
  ExpectClose(Computed(grad, q, q, q, added), Expected(grad, q, q, q, added), 1e-4);
  ExpectClose(Computed(grad, q, q, q, allowed),
              Expected(grad, q, q, q, Hidden(logical_not(allowed))), 1e-4);
  ExpectClose(Computed(grad, q, q, q, {}, true), Expected(grad, q, q, q, Hidden(later)), 1e-4);
}

TEST(AttentionBackward, OfRowsThatSeeNothingIsZero) {
  const Tensor q = ones({1, 1, 2, 4}), none = zeros({2, 2}, DType::kBool);
  const auto [of_q, of_k, of_v] = Computed(q, q, q, q, none);
  for (const Tensor& t : {of_q, of_k, of_v}) EXPECT_TRUE(item(all(eq(t, 0))).To<bool>());
}

TEST(AttentionBackward, OfShortFloatsIsRoundedOnce) {
  manual_seed(0);
  const Tensor q = to(randn({1, 2, 16, 8}), DType::kBFloat16);
  ExpectClose(Computed(q, q, q, q, {}), Expected(q, q, q, q, {}), 3e-2);
  const Tensor of_q = std::get<0>(Computed(q, q, q, q, {}));
  EXPECT_EQ(of_q.dtype(), DType::kBFloat16);
  EXPECT_TRUE(transpose(of_q, 1, 2).is_contiguous());  // heads beside one another
}

TEST(AttentionBackward, AddsUpWhatGroupsOfHeadsPassBack) {
  manual_seed(0);
  const Tensor q = randn({2, 4, 9, 8}), k = randn({2, 2, 11, 8}), v = randn({2, 2, 11, 8});
  const auto twice = [](const Tensor& t) {
    return reshape(expand(unsqueeze(t, 2), {2, 2, 2, 11, 8}), {2, 4, 11, 8});
  };
  const auto pairs = [](const Tensor& t) { return sum(reshape(t, {2, 2, 2, 11, 8}), {2}); };
  const auto [of_q, of_k, of_v] = Expected(q, q, twice(k), twice(v), {});
  ExpectClose(Computed(q, q, k, v, {}), {of_q, pairs(of_k), pairs(of_v)}, 1e-4);
}

TEST(AttentionBackward, RefusesWhatDoesNotFit) {
  const Tensor q = ones({1, 1, 2, 4}), sums = ones({1, 1, 2});
  const auto backward = [&](const Tensor& grad, double dropout) {
    _scaled_dot_product_flash_attention_for_cpu_backward(grad, q, q, q, q, sums, dropout, false);
  };
  EXPECT_EQ(CodeOf([&] { backward(ones({1, 1, 3, 4}), 0); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { backward(q, 0.5); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
