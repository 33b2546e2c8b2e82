// Loops over compressed matrices: of every dtype, number of columns, layout of blocks and batches,
// with the same bits on every instruction set and by any number of threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "backends/cpu/kernels/testing.h"
#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/core/sparse.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

constexpr DType kAll[] = {DType::kUInt8,   DType::kInt8,      DType::kInt16,     DType::kInt32,
                          DType::kInt64,   DType::kFloat16,   DType::kBFloat16,  DType::kFloat32,
                          DType::kFloat64, DType::kComplex64, DType::kComplex128};

// Of whole numbers, of which a share is held; some rows and columns hold nothing.
Tensor Some(int64_t rows, int64_t columns, double share, DType d = DType::kFloat32) {
  const Tensor held = to(lt(rand({rows, columns}), share), DType::kInt64);
  fill_(select(held, 0, rows / 2), 0);
  fill_(select(held, 1, columns / 2), 0);
  return to(mul(held, randint(1, 4, {rows, columns})), d);
}

TEST(SparseLoops, SumsAndDifferencesAreThoseOfStridedMatrices) {
  manual_seed(1);
  for (const DType d : kAll) {
    const Tensor a = Some(23, 17, 0.4, d), b = Some(23, 17, 0.3, d);
    for (const Layout l : {Layout::kSparseCsr, Layout::kSparseCsc}) {
      const Tensor x = to_sparse(a, l, std::nullopt, std::nullopt),
                   y = to_sparse(b, l, std::nullopt, std::nullopt);
      const Tensor both = add(x, y);
      EXPECT_EQ(both.layout(), l);
      EXPECT_EQ(both.dtype(), d);
      EXPECT_TRUE(equal(to_dense(both), add(a, b))) << d << " " << l;
      EXPECT_TRUE(equal(to_dense(add(x, y, 3)), add(a, b, 3))) << d << " " << l;
      EXPECT_TRUE(equal(to_dense(sub(x, y)), sub(a, b))) << d << " " << l;
      EXPECT_TRUE(equal(to_dense(sub(x, y, 2)), sub(a, b, 2))) << d << " " << l;
      EXPECT_EQ(_nnz(both), sum(logical_or(ne(a, 0), ne(b, 0))).item<int64_t>());
      EXPECT_EQ(_nnz(sub(x, x)), _nnz(x)) << "what cancels is held";
      // Its positions rise, so that it is taken apart as it was put together.
      const SparseState& s = *FindSparse(both);
      EXPECT_TRUE(
          equal(s.plain_indices,
                FindSparse(to_sparse(add(a, b), l, std::nullopt, std::nullopt))->plain_indices));
    }
  }
}

TEST(SparseLoops, SumsHaveTheFirstOnesIndices) {
  const Tensor a = to_sparse_csr(eye(3));
  const Tensor narrow = sparse_csr_tensor(to(crow_indices(a), DType::kInt32),
                                          to(col_indices(a), DType::kInt32), values(a), {3, 3});
  EXPECT_EQ(col_indices(add(narrow, a)).dtype(), DType::kInt32);
  EXPECT_EQ(crow_indices(add(narrow, a)).dtype(), DType::kInt32);
  EXPECT_EQ(col_indices(add(a, narrow)).dtype(), DType::kInt64);
  EXPECT_TRUE(equal(to_dense(add(a, narrow)), mul(eye(3), 2)));
  const Tensor product = mm(narrow, a);
  EXPECT_EQ(col_indices(product).dtype(), DType::kInt32);
  EXPECT_TRUE(equal(to_dense(product), eye(3)));
}

TEST(SparseLoops, WhatTheyDoNotServeIsMadeOfOperators) {
  const Tensor a = to_sparse_csr(eye(3)), whole = to_sparse_csr(eye(3, {.dtype = DType::kInt64}));
  EXPECT_EQ(add(whole, a).dtype(), DType::kFloat32);
  EXPECT_TRUE(equal(to_dense(add(whole, a)), mul(eye(3), 2)));
  EXPECT_TRUE(equal(add(eye(3), a), mul(eye(3), 2)));
  EXPECT_TRUE(equal(to_dense(add(a, to_sparse(eye(3)))), mul(eye(3), 2)));
  EXPECT_TRUE(equal(to_dense(add(a, to_sparse_csc(eye(3)))), mul(eye(3), 2)));
  EXPECT_TRUE(equal(to_dense(a, DType::kInt64), eye(3, {.dtype = DType::kInt64})));
  const Tensor truth = to(a, DType::kBool);
  EXPECT_TRUE(equal(to_dense(truth), eye(3, {.dtype = DType::kBool})));
  EXPECT_THROW(add(a, to_sparse_csr(eye(4))), Error);
}

TEST(SparseLoops, ProductsHaveAnyNumberOfColumns) {
  manual_seed(2);
  const Tensor a = Some(24, 20, 0.3);
  const std::vector<int64_t> blocks{4, 5};
  for (const DType d : {DType::kFloat32, DType::kFloat64, DType::kBFloat16}) {
    const Tensor x = to(a, d), csr = to_sparse_csr(x), bsr = to_sparse_bsr(x, blocks),
                 bsc = to_sparse_bsc(x, blocks);
    for (int64_t m = 0; m < 150; ++m) {
      const Tensor b = to(randint(-3, 4, {20, m}), d), expected = mm(x, b);
      ASSERT_TRUE(equal(mm(csr, b), expected)) << d << " " << m;
      ASSERT_TRUE(equal(mm(bsr, b), expected)) << d << " " << m;
      ASSERT_TRUE(equal(mm(bsc, b), expected)) << d << " " << m;
    }
  }
}

class WithIsa {
 public:
  explicit WithIsa(cpu::Isa isa) : before_(cpu::ActiveIsa()) { cpu::SetIsa(isa); }
  ~WithIsa() { cpu::SetIsa(before_); }
  WithIsa(const WithIsa&) = delete;

 private:
  cpu::Isa before_;
};

TEST(SparseLoops, ResultsAreTheSameOnEveryInstructionSetAndByAnyNumberOfThreads) {
  manual_seed(3);
  const auto some = [] { return mul(randn({300, 250}), to_dense(to_sparse(Some(300, 250, 0.2)))); };
  const Tensor a = some(), b = some(), dense = randn({250, 40}), square = t(some());
  const Tensor csr = to_sparse_csr(a), other = to_sparse_csr(b), csc = to_sparse_csc(a),
               bsr = to_sparse_bsr(a, {10, 25}), second = to_sparse_csr(square);
  const auto all = [&] {
    return std::vector<Tensor>{mm(csr, dense),
                               mm(bsr, dense),
                               mv(csr, select(dense, 1, 0)),
                               values(mm(csr, second)),
                               col_indices(mm(csr, second)),
                               values(add(csr, other)),
                               to_dense(csr),
                               to_dense(csc),
                               to_dense(bsr)};
  };
  const ThreadsScope one(1);
  const std::vector<Tensor> expected = all();
  EXPECT_TRUE(allclose(expected[0], mm(a, dense), 1e-4, 1e-4));
  EXPECT_TRUE(equal(expected[6], a) && equal(expected[7], a) && equal(expected[8], a));
  for (int isa = 0; isa <= cpu::BestIsa(); ++isa) {
    const WithIsa with(static_cast<cpu::Isa>(isa));
    for (const int threads : {1, 2, 5}) {
      const ThreadsScope scope(threads);
      const std::vector<Tensor> got = all();
      for (size_t i = 0; i < got.size(); ++i)
        EXPECT_TRUE(SameBytes(got[i], expected[i])) << i << " " << isa << " " << threads;
    }
  }
}

TEST(SparseLoops, ProductsOfSparseMatricesAreFewOrMany) {
  manual_seed(4);
  for (const double share : {0.002, 0.02, 0.6}) {  // sorted columns, and all looked at
    const Tensor a = Some(60, 400, share), b = Some(400, 500, share), expected = mm(a, b);
    const Tensor product = mm(to_sparse_csr(a), to_sparse_csr(b));
    EXPECT_TRUE(equal(to_dense(product), expected)) << share;
    EXPECT_TRUE(equal(to_dense(mm(to_sparse(a), to_sparse_csc(b))), expected)) << share;
    EXPECT_TRUE(equal(col_indices(product), col_indices(to_sparse_csr(expected)))) << share;
  }
}

TEST(SparseLoops, BatchesBlocksAndDenseRowsAreStrided) {
  manual_seed(5);
  for (const DType d : {DType::kBool, DType::kInt16, DType::kFloat32, DType::kComplex128}) {
    const Tensor batch = to(mul(randint(0, 2, {6, 8}), randint(1, 4, {2, 3, 6, 8})), d);
    EXPECT_TRUE(equal(to_dense(to_sparse_csr(batch)), batch)) << d;
    EXPECT_TRUE(equal(to_dense(to_sparse_csc(batch)), batch)) << d;
    const Tensor all = to(randint(1, 4, {2, 6, 8}), d);
    EXPECT_TRUE(equal(to_dense(to_sparse_bsr(all, {3, 2})), all)) << d;
    EXPECT_TRUE(equal(to_dense(to_sparse_bsc(all, {3, 2})), all)) << d;
    const Tensor rows = to(mul(unsqueeze(randint(0, 2, {4, 5}), 2), randint(1, 4, {4, 5, 3})), d);
    EXPECT_TRUE(equal(to_dense(to_sparse_csr(rows, 1)), rows)) << d;
    EXPECT_TRUE(equal(to_dense(to_sparse_csc(rows, 1)), rows)) << d;
  }
}

TEST(SparseLoops, ValuesThatAreConjugatesAreWrittenOut) {
  const Tensor z = complex(tensor({1., 0., 1.}), tensor({2., 3., 0.}));
  const Tensor at = tensor({0, 1, 2}), begin = tensor({0, 1, 2, 3});
  const Tensor s = sparse_csr_tensor(begin, at, conj(z), {3, 3});
  const Tensor expected = diag(resolve_conj(conj(z)));
  EXPECT_TRUE(equal(to_dense(s), expected));
  EXPECT_TRUE(equal(mm(s, eye(3, {.dtype = DType::kComplex64})), expected));
  EXPECT_TRUE(equal(to_dense(add(s, s)), mul(expected, 2)));
}

}  // namespace
}  // namespace sy
