// QR, eigenvalues and singular values of matrices that are large enough for LAPACK's products to be
// shared between threads (blas/lapack_calls.h), and LU of small ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/parallel.h"

namespace sy {
namespace {

double Epsilon(DType dtype) { return RealType(dtype) == DType::kFloat64 ? 2.3e-16 : 1.2e-7; }
Tensor Random(const Ints& sizes, DType dtype) {
  const Tensor x = randn(sizes, DType::kFloat64);
  return to(IsComplex(dtype) ? complex(x, randn(sizes, DType::kFloat64)) : x, dtype);
}
// In units of what sums of n products lose, b's largest number being 1.
void ExpectNear(const Tensor& a, const Tensor& b) {
  ASSERT_TRUE(SameSizes(a.sizes(), b.sizes())) << Describe(a) << " and " << Describe(b);
  const double size = item(max(abs(b))).To<double>();
  const double n = static_cast<double>(std::max(a.size(-2), a.size(-1)));
  EXPECT_LT(item(max(abs(sub(a, b)))).To<double>(), 16 * std::sqrt(n) * Epsilon(a.dtype()) * size)
      << Describe(a);
}
void ExpectOrthonormal(const Tensor& q) {
  ExpectNear(matmul(mH(q), q), eye(q.size(-1), q.dtype()));
}

class DecompositionTest : public testing::TestWithParam<DType> {
 protected:
  void SetUp() override { manual_seed(19); }
  void TearDown() override { SetNumThreads(threads_); }
  const int threads_ = NumThreads();
};

TEST_P(DecompositionTest, QrGivesTheMatrix) {
  for (const auto& [m, n] : {std::pair{300, 300}, {530, 290}, {290, 530}}) {
    const Tensor a = Random({m, n}, GetParam());
    for (const char* mode : {"reduced", "complete"}) {
      const auto [q, r] = linalg_qr(a, mode);
      ExpectNear(matmul(q, r), a);
      ExpectOrthonormal(q);
      EXPECT_TRUE(equal(triu(r), r));
    }
  }
}

TEST_P(DecompositionTest, QrOfDependentColumnsHasOrthonormalColumns) {
  const Tensor a = Random({300, 300}, GetParam());
  zero_(narrow(a, 1, 40, 100));  // their reflectors are none
  const auto [q, r] = linalg_qr(a);
  ExpectNear(matmul(q, r), a);
  ExpectOrthonormal(q);
}

TEST_P(DecompositionTest, ReflectorsAreAppliedFromBothSides) {
  const auto [a, tau] = geqrf(Random({400, 300}, GetParam()));
  const Tensor q = linalg_householder_product(a, tau);
  const Tensor c = Random({400, 270}, GetParam());
  ExpectNear(narrow(ormqr(a, tau, c, true, true), 0, 0, 300), matmul(mH(q), c));
  ExpectNear(narrow(ormqr(a, tau, contiguous(mH(c)), false, false), 1, 0, 300), matmul(mH(c), q));
}

TEST_P(DecompositionTest, EigenvectorsOfHermitianMatricesDiagonaliseThem) {
  const Tensor half = Random({600, 600}, GetParam()), a = add(half, mH(half));
  for (const char* uplo : {"L", "U"}) {
    const auto [values, vectors] = linalg_eigh(a, uplo);
    ExpectNear(matmul(a, vectors), mul(vectors, unsqueeze(values, 0)));
    ExpectOrthonormal(vectors);
  }
}

TEST_P(DecompositionTest, EigenvectorsAreMappedToMultiples) {
  const Tensor a = Random({300, 300}, GetParam());
  const auto [values, vectors] = linalg_eig(a);
  const Tensor product = matmul(to(a, vectors.dtype()), vectors),
               multiple = mul(vectors, unsqueeze(values, 0));
  EXPECT_LT(item(linalg_norm(sub(product, multiple))).To<double>(),
            100 * Epsilon(GetParam()) * item(linalg_norm(a)).To<double>());
}

TEST_P(DecompositionTest, SingularVectorsGiveTheMatrix) {
  for (const auto& [m, n] : {std::pair{400, 400}, {700, 300}, {300, 700}}) {
    const Tensor a = Random({m, n}, GetParam());
    const auto [u, s, vh] = linalg_svd(a, false);
    ExpectNear(matmul(mul(u, unsqueeze(s, 0)), vh), a);
    ExpectOrthonormal(u);
    ExpectOrthonormal(mH(vh));
    ExpectNear(unsqueeze(linalg_svdvals(a), 0), unsqueeze(s, 0));
  }
}

TEST_P(DecompositionTest, ThreadsDoNotChangeTheResult) {
  const Tensor a = Random({530, 530}, GetParam());
  const auto all = [&] {
    const auto [q, r] = linalg_qr(a);
    const auto [values, vectors] = linalg_eigh(a);
    const auto [u, s, vh] = linalg_svd(a);
    return std::vector<Tensor>{
        q, r, values, vectors, u, s, vh, linalg_eigvals(narrow(narrow(a, 0, 0, 200), 1, 0, 200))};
  };
  SetNumThreads(1);
  const std::vector<Tensor> one = all();
  SetNumThreads(3);
  const std::vector<Tensor> three = all();
  for (size_t i = 0; i < one.size(); ++i) EXPECT_TRUE(equal(one[i], three[i])) << i;
}

TEST_P(DecompositionTest, MatricesOfABatchAreWhatTheyAreAlone) {
  const Tensor a = Random({3, 300, 300}, GetParam());
  const auto [q, r] = linalg_qr(a);
  for (const int64_t i : {0, 2})
    EXPECT_TRUE(equal(select(r, 0, i), std::get<1>(linalg_qr(select(a, 0, i)))));
}

INSTANTIATE_TEST_SUITE_P(Types, DecompositionTest,
                         testing::Values(DType::kFloat32, DType::kFloat64, DType::kComplex64,
                                         DType::kComplex128),
                         [](const auto& type) { return std::string(Name(type.param)); });

class SmallLuTest : public testing::TestWithParam<DType> {
 protected:
  void SetUp() override { manual_seed(20); }
  void TearDown() override { cpu::SetIsa(before_); }
  const cpu::Isa before_ = cpu::ActiveIsa();
};

TEST_P(SmallLuTest, FactorsGiveTheMatrixOnEveryInstructionSet) {
  for (int isa = 0; isa <= cpu::BestIsa(); ++isa) {
    cpu::SetIsa(static_cast<cpu::Isa>(isa));
    for (const int64_t m : {1, 2, 3, 7, 8, 15, 16, 17, 31, 32, 33}) {
      for (const int64_t n : {1, 5, 16, 32}) {
        const Tensor a = Random({2, m, n}, GetParam());
        const auto [p, l, u] = linalg_lu(a);
        ExpectNear(matmul(p, matmul(l, u)), a);
        EXPECT_LE(item(max(abs(l))).To<double>(), 1.);
      }
    }
  }
}

TEST_P(SmallLuTest, TheFirstZeroPivotIsSaid) {
  const Tensor a = Random({12, 12}, GetParam());
  zero_(select(a, 1, 7));
  zero_(select(a, 1, 9));
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  EXPECT_EQ(item(info).To<int>(), 8);
  const auto [p, l, u] = linalg_lu(a);
  ExpectNear(matmul(p, matmul(l, u)), a);
}

TEST_P(SmallLuTest, ColumnsBeforeAnInfinityOrNanAreAsWithoutIt) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double x : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    const Tensor a = Random({9, 9}, GetParam());
    const Tensor expected = clone(std::get<0>(linalg_lu_factor_ex(a)));
    fill_(select(select(a, 0, 8), 0, 8), x);
    const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
    EXPECT_TRUE(item(all(isfinite(narrow(lu, 1, 0, 8)))).To<bool>());
    EXPECT_FALSE(item(all(isfinite(narrow(lu, 1, 8, 1)))).To<bool>());
    // The columns before it do not know of it.
    EXPECT_TRUE(equal(narrow(lu, 1, 0, 8), narrow(expected, 1, 0, 8)));
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SmallLuTest, testing::Values(DType::kFloat32, DType::kFloat64),
                         [](const auto& type) { return std::string(Name(type.param)); });

}  // namespace
}  // namespace sy
