// Embeddings' bags and gradients. Numbers: PyTorch 2.11's.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// Rows with NaN; bags of two, two, none and two rows.
Tensor Weight() { return tensor({{1.0, 4.0}, {NAN, 2.0}, {3.0, -1.0}, {0.5, NAN}}); }
Tensor Index() { return tensor({0, 1, 2, 3, 3, 0}, DType::kInt64); }
Tensor Offsets() { return tensor({0, 2, 4, 4}, DType::kInt64); }

TEST(EmbeddingBag, TakesMaximaInWhichNanCountsWhereItComesFirst) {
  const auto [out, bags, counts, at] = embedding_bag(Weight(), Index(), Offsets(), false, 2);
  EXPECT_TRUE(allclose(out, tensor({{1.0, 4.0}, {3.0, -1.0}, {0.0, 0.0}, {1.0, NAN}}), 0, 0,
                       /*equal_nan=*/true));
  EXPECT_TRUE(equal(bags, tensor({0, 0, 1, 1, 3, 3}, DType::kInt64)));
  EXPECT_TRUE(equal(counts, tensor({2, 2, 0, 2}, DType::kInt64)));
  EXPECT_TRUE(equal(at, tensor({{0, 0}, {2, 2}, {0, 0}, {0, 3}}, DType::kInt64)));
  // Without row 3.
  const auto [padded, bags1, counts1, at1] =
      embedding_bag(Weight(), Index(), Offsets(), false, 2, false, {}, false, -1);
  EXPECT_TRUE(equal(padded, tensor({{1.0, 4.0}, {3.0, -1.0}, {0.0, 0.0}, {1.0, 4.0}})));
  EXPECT_TRUE(equal(counts1, tensor({2, 1, 0, 1}, DType::kInt64)));
  EXPECT_TRUE(equal(at1, tensor({{0, 0}, {2, 2}, {0, 0}, {0, 0}}, DType::kInt64)));
}

TEST(EmbeddingBag, LeavesPaddingOutOfMeans) {
  const auto [out, bags, counts, at] =
      _embedding_bag(Weight(), Index(), Offsets(), false, 1, false, {}, true, 0);
  EXPECT_TRUE(
      allclose(out, tensor({{NAN, 2.0}, {1.75, NAN}, {0.5, NAN}}), 0, 0, /*equal_nan=*/true));
  EXPECT_TRUE(equal(counts, tensor({1, 2, 1}, DType::kInt64)));
  EXPECT_TRUE(equal(at, counts));
}

TEST(EmbeddingBag, RefusesOffsetsThatAreNone) {
  const auto of = [&](const Tensor& offsets) {
    return CodeOf([&] { embedding_bag(Weight(), Index(), offsets); });
  };
  EXPECT_EQ(of(Offsets()), ErrorCode::kOk);
  EXPECT_EQ(of(tensor({1, 2}, DType::kInt64)), ErrorCode::kInvalidValue);
  EXPECT_EQ(of(tensor({0, 7}, DType::kInt64)), ErrorCode::kInvalidValue);
  EXPECT_EQ(of(tensor({0, 5, 3}, DType::kInt64)), ErrorCode::kInvalidValue);
}

TEST(Embedding, PassesMeansBackByFrequency) {
  const Tensor grad = tensor({{1.0, 2.0}, {3.0, 4.0}, {5.0, 6.0}});
  const Tensor at = tensor({2, 0, 2}, DType::kInt64);
  EXPECT_TRUE(equal(embedding_dense_backward(grad, at, 4, -1, true),
                    tensor({{3.0, 4.0}, {0.0, 0.0}, {3.0, 4.0}, {0.0, 0.0}})));
  EXPECT_TRUE(equal(embedding_dense_backward(grad, at, 4, 0, true),
                    tensor({{0.0, 0.0}, {0.0, 0.0}, {3.0, 4.0}, {0.0, 0.0}})));
}

TEST(Embedding, ShortensRowsThatAreLookedUp) {
  const Tensor weight = tensor({{3.0, 4.0}, {0.3, 0.4}, {30.0, 40.0}});
  embedding_renorm_(weight, tensor({0, 1, 0}, DType::kInt64), 1, 2);
  EXPECT_TRUE(allclose(weight, tensor({{0.6, 0.8}, {0.3, 0.4}, {30.0, 40.0}})));
}

}  // namespace
}  // namespace sy
