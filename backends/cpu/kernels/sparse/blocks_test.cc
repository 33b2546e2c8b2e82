// Sums and products of blocks and of batches of sparse matrices, which are those of strided ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/core/generator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/sparse.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using testing::HasSubstr;

// [6, 8] of whole numbers, of which about half of the blocks of [2, 4] hold some.
Tensor Blocky(DType d = DType::kFloat32) {
  const Tensor on = repeat_interleave(repeat_interleave(randint(0, 2, {3, 2}), 2, 0), 4, 1);
  return to(mul(on, randint(-3, 4, {6, 8})), d);
}
// Matrices of a batch that hold the same positions.
Tensor Batch(DType d = DType::kFloat32) {
  return to(mul(randint(0, 2, {6, 8}), randint(1, 4, {3, 6, 8})), d);
}
std::vector<Tensor> Compressed(const Tensor& batch) {
  return {to_sparse_csr(batch), to_sparse_csc(batch)};
}
std::vector<Tensor> InBlocks(const Tensor& a) {
  return {to_sparse_bsr(a, {2, 4}), to_sparse_bsc(a, {2, 4})};
}

TEST(SparseBlocks, ProductsAreThoseOfStridedMatrices) {
  manual_seed(1);
  for (const DType d :
       {DType::kFloat32, DType::kFloat64, DType::kBFloat16, DType::kInt64, DType::kComplex64}) {
    const Tensor a = Blocky(d), b = to(randint(-3, 4, {8, 5}), d), expected = mm(a, b);
    for (const Tensor& s : InBlocks(a)) {
      EXPECT_TRUE(equal(mm(s, b), expected)) << d << " " << s.layout();
      EXPECT_TRUE(equal(mm(s, t(contiguous(t(b)))), expected));
      EXPECT_TRUE(equal(mm(t(b), t(s)), t(expected))) << d << " " << s.layout();
      EXPECT_TRUE(equal(matmul(s, b), expected));
      EXPECT_TRUE(equal(mv(s, select(b, 1, 2)), select(expected, 1, 2)));
      EXPECT_TRUE(equal(addmm(expected, s, b, 2, 3), mul(expected, 5)));
      EXPECT_TRUE(equal(linear(t(b), s), t(expected)));
      EXPECT_TRUE(equal(to_dense(mm(s, to_sparse(b))), expected));
      EXPECT_TRUE(equal(to_dense(mm(to_sparse(t(b)), to_sparse_bsr(t(a), {4, 2}))), t(expected)));
    }
  }
}

TEST(SparseBlocks, ValuesThatAreViewsAreRead) {
  manual_seed(2);
  const Tensor a = Blocky(), s = t(to_sparse_bsr(t(a), {4, 2}));  // whose values are turned
  EXPECT_FALSE(values(s).is_contiguous());
  const Tensor b = randint(-3, 4, {8, 3}, DType::kFloat32);
  EXPECT_TRUE(equal(mm(s, b), mm(a, b)));
}

TEST(SparseBlocks, SumsAndProductsOfElementsKeepTheLayout) {
  manual_seed(3);
  const Tensor a = Blocky(), b = Blocky(), row = randint(-3, 4, {8}, DType::kFloat32);
  for (size_t i = 0; i < 2; ++i) {
    const Tensor x = InBlocks(a)[i], y = InBlocks(b)[i];
    for (const Tensor& other : {y, InBlocks(b)[1 - i], to_sparse(b)}) {
      const Tensor sum_of_both = add(x, other, 2);
      EXPECT_EQ(sum_of_both.layout(), x.layout());
      EXPECT_TRUE(equal(to_dense(sum_of_both), add(a, b, 2))) << i;
      EXPECT_TRUE(equal(to_dense(sub(x, other)), sub(a, b))) << i;
      EXPECT_TRUE(equal(to_dense(mul(x, other)), mul(a, b))) << i;
    }
    EXPECT_EQ(mul(x, row).layout(), x.layout());
    EXPECT_TRUE(equal(to_dense(mul(x, row)), mul(a, row)));
    EXPECT_TRUE(equal(to_dense(mul(b, x)), mul(a, b)));
    EXPECT_TRUE(equal(add(b, x), add(a, b)));
    EXPECT_THAT(MessageOf([&] { add(x, to_sparse(zeros({8, 6}))); }), HasSubstr("same sizes"));
  }
}

TEST(SparseBlocks, SumsAlongDimensionsAreCoo) {
  manual_seed(4);
  const Tensor a = Blocky();
  for (const Tensor& s : InBlocks(a)) {
    for (const bool keepdim : {false, true}) {
      const Tensor along = sum(s, {1}, keepdim);
      EXPECT_EQ(along.layout(), Layout::kSparse);
      EXPECT_TRUE(equal(to_dense(along), sum(a, {1}, keepdim)));
    }
    EXPECT_TRUE(equal(sum(s), sum(a)));
  }
}

TEST(SparseBatches, ProductsAreThoseOfEachMatrix) {
  manual_seed(5);
  for (const DType d : {DType::kFloat32, DType::kFloat64, DType::kInt64, DType::kComplex64}) {
    const Tensor a = Batch(d), b = to(randint(-3, 4, {3, 8, 5}), d), expected = bmm(a, b);
    std::vector<Tensor> all = Compressed(a);
    all.push_back(to_sparse(a));
    all.push_back(to_sparse_bsr(a, {6, 8}));
    all.push_back(to_sparse_bsc(a, {6, 4}));
    for (const Tensor& s : all) {
      EXPECT_TRUE(equal(bmm(s, b), expected)) << d << " " << s.layout();
      EXPECT_TRUE(equal(matmul(s, b), expected)) << d << " " << s.layout();
      EXPECT_TRUE(equal(bmm(mT(b), transpose(s, 1, 2)), mT(expected))) << d << " " << s.layout();
    }
  }
  const Tensor s = to_sparse_csr(Batch());
  EXPECT_THAT(MessageOf([&] { bmm(s, zeros({2, 8, 5})); }), HasSubstr("sizes do not fit"));
  EXPECT_THAT(MessageOf([&] { bmm(s, s); }), HasSubstr("one of strided ones"));
  EXPECT_TRUE(equal(bmm(to_sparse_csr(zeros({0, 6, 8})), zeros({0, 8, 5})), zeros({0, 6, 5})));
}

TEST(SparseBatches, SumsAndProductsOfElementsKeepTheLayout) {
  manual_seed(6);
  const Tensor a = Batch(), b = Batch(), m = randint(-3, 4, {6, 8}, DType::kFloat32);
  for (size_t i = 0; i < 2; ++i) {
    const Tensor x = Compressed(a)[i], y = Compressed(b)[i];
    EXPECT_EQ(add(x, y).layout(), x.layout());
    EXPECT_TRUE(equal(to_dense(add(x, y)), add(a, b)));
    EXPECT_TRUE(equal(to_dense(mul(x, y)), mul(a, b)));
    EXPECT_TRUE(equal(to_dense(mul(x, m)), mul(a, m)));
    EXPECT_TRUE(equal(to_dense(sum(x, {0}, true)), sum(a, {0}, true)));
    EXPECT_TRUE(equal(to_dense(sum(x, {2})), sum(a, {2})));
    EXPECT_EQ(add(x, y).dtype(), DType::kFloat32);
  }
}

TEST(SparseBatches, ThatHoldDifferentNumbersOfElementsAreRefused) {
  const Tensor a = tensor({{{1., 0.}, {0., 0.}}, {{0., 1.}, {0., 0.}}}),
               b = tensor({{{1., 0.}, {0., 0.}}, {{0., 0.}, {0., 1.}}});
  EXPECT_THAT(MessageOf([&] { add(to_sparse_csr(a), to_sparse_csr(b)); }),
              HasSubstr("different numbers of elements, 3 in all 2"));
}

TEST(SparseBatches, ProductsAreSampledAtThePositionsOfEachMatrix) {
  manual_seed(7);
  const Tensor a = Batch(), x = randint(-3, 4, {3, 6, 2}, DType::kFloat32),
               y = randint(-3, 4, {3, 2, 8}, DType::kFloat32);
  const Tensor got = sparse_sampled_addmm(to_sparse_csr(a), x, y, 2, 3);
  EXPECT_TRUE(
      equal(to_dense(got), mul(add(mul(a, 2), bmm(x, y), 3), to(ne(a, 0), DType::kFloat32))));
  EXPECT_THAT(MessageOf([&] { sparse_sampled_addmm(to_sparse_csr(a), x[0], y[0]); }),
              HasSubstr("as many matrices"));
}

}  // namespace
}  // namespace sy
