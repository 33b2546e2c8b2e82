// Factors and equations of matrices that are large enough for blocks (blas/factors.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>

#include "switchyard/backends/cpu/engine/isa.h"
#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/parallel.h"

namespace sy {
namespace {

constexpr DType kTypes[] = {DType::kFloat32, DType::kFloat64, DType::kComplex64,
                            DType::kComplex128};

double Epsilon(DType dtype) { return RealType(dtype) == DType::kFloat64 ? 2.3e-16 : 1.2e-7; }
Tensor Random(const Ints& sizes, DType dtype) {
  const Tensor x = randn(sizes, DType::kFloat64);
  return to(IsComplex(dtype) ? complex(x, randn(sizes, DType::kFloat64)) : x, dtype);
}
// Of n rows, well-conditioned.
Tensor Positive(int64_t n, DType dtype) {
  const Tensor a = Random({n, n}, dtype);
  return add(div(matmul(a, mH(a)), n), eye(n, dtype));
}
// The largest distance in units of what sums of n products lose; the largest numbers are in sized.
void ExpectNear(const Tensor& a, const Tensor& b, const Tensor& sized) {
  ASSERT_TRUE(SameSizes(a.sizes(), b.sizes())) << Describe(a) << " and " << Describe(b);
  const double size = item(max(abs(sized))).To<double>();
  const double n = static_cast<double>(std::max(a.size(-2), a.size(-1)));
  EXPECT_LT(item(max(abs(sub(a, b)))).To<double>(), 8 * std::sqrt(n) * Epsilon(a.dtype()) * size)
      << Describe(a);
}

void ExpectNear(const Tensor& a, const Tensor& b) { ExpectNear(a, b, b); }

class LargeMatrixTest : public testing::TestWithParam<DType> {};

TEST_P(LargeMatrixTest, CholeskyFactorsGiveTheMatrix) {
  for (const int64_t n : {256, 300, 515}) {
    const Tensor a = Positive(n, GetParam());
    const Tensor l = linalg_cholesky(a), u = linalg_cholesky(a, true);
    ExpectNear(matmul(l, mH(l)), a);
    ExpectNear(matmul(mH(u), u), a);
    EXPECT_TRUE(equal(tril(l), l));
    EXPECT_TRUE(equal(triu(u), u));
    // What the other triangle holds does not count.
    EXPECT_TRUE(equal(linalg_cholesky(tril(a)), l));
    EXPECT_TRUE(equal(linalg_cholesky(triu(a), true), u));
  }
}

TEST_P(LargeMatrixTest, CholeskySaysWhichMinorIsNotPositive) {
  const Tensor a = Positive(400, GetParam());
  for (const int64_t at : {3, 200, 399}) {
    const Tensor b = clone(a);
    fill_(select(select(b, 0, at), 0, at), -1);
    EXPECT_EQ(item(std::get<1>(linalg_cholesky_ex(b))).To<int>(), at + 1);
  }
}

TEST_P(LargeMatrixTest, LuFactorsGiveTheMatrix) {
  const auto check = [](int64_t m, int64_t n) {
    const Tensor a = Random({m, n}, GetParam());
    const auto [p, l, u] = linalg_lu(a);
    ExpectNear(matmul(p, matmul(l, u)), a, u);
    // The pivots are the largest; LAPACK takes |re| + |im| for the size of a complex number.
    const double most = IsComplex(GetParam()) ? std::sqrt(2.) : 1.;
    EXPECT_LE(item(max(abs(l))).To<double>(), most + 1e-6);
  };
  check(256, 256);
  check(515, 515);
  check(700, 300);
  check(300, 700);
}

TEST_P(LargeMatrixTest, LuSaysWhichPivotIsZero) {
  const Tensor a = Random({400, 400}, GetParam());
  zero_(select(a, 1, 300));
  const auto [lu, pivots, info] = linalg_lu_factor_ex(a);
  EXPECT_EQ(item(info).To<int>(), 301);
}

TEST_P(LargeMatrixTest, SolutionsFulfilTheirEquations) {
  const int64_t n = 300;
  const Tensor a = Positive(n, GetParam());
  for (const int64_t columns : {1, 40, 600}) {
    const Tensor b = Random({n, columns}, GetParam()), bh = mH(b);
    ExpectNear(matmul(a, linalg_solve(a, b)), b);
    const auto [lu, pivots] = linalg_lu_factor(a);
    ExpectNear(matmul(mH(a), linalg_lu_solve(lu, pivots, b, true, true)), b);
    ExpectNear(matmul(linalg_lu_solve(lu, pivots, bh, false), a), bh);
    ExpectNear(matmul(linalg_lu_solve(lu, pivots, bh, false, true), mH(a)), bh);
  }
  ExpectNear(matmul(a, linalg_inv(a)), eye(n, GetParam()));
}

TEST_P(LargeMatrixTest, TriangularSolutionsFulfilTheirEquations) {
  const int64_t n = 290;
  // Whose inverse is not large, with the diagonal or with ones in its place.
  const Tensor a =
      add(div(Random({n, n}, GetParam()), 4 * std::sqrt(double(n))), mul(eye(n, GetParam()), 1.5));
  const Tensor ones_on = add(sub(a, diag_embed(diagonal(a))), eye(n, GetParam()));
  for (const bool upper : {false, true}) {
    for (const bool unit : {false, true}) {
      const Tensor whole = unit ? ones_on : a, part = upper ? triu(whole) : tril(whole);
      for (const Tensor& given : {a, mT(contiguous(mT(a)))}) {  // by rows, by columns
        for (const int64_t columns : {1, 37, 333}) {
          const Tensor b = Random({n, columns}, GetParam()), right = contiguous(mT(b));
          ExpectNear(matmul(part, linalg_solve_triangular(given, b, upper, true, unit)), b);
          ExpectNear(matmul(linalg_solve_triangular(given, right, upper, false, unit), part),
                     right);
        }
      }
    }
  }
}

TEST_P(LargeMatrixTest, BatchesAndExpandedMatrices) {
  const Tensor a = stack({Positive(260, GetParam()), Positive(260, GetParam())});
  const Tensor b = Random({3, 1, 260, 20}, GetParam());
  const Tensor x = linalg_solve(a, b);
  for (const int64_t i : {0, 1, 2}) {
    for (const int64_t j : {0, 1})
      ExpectNear(matmul(select(a, 0, j), select(select(x, 0, i), 0, j)),
                 select(select(b, 0, i), 0, 0));
  }
  const Tensor l = linalg_cholesky(a), y = linalg_solve_triangular(l, b, false);
  ExpectNear(matmul(select(l, 0, 1), select(select(y, 0, 2), 0, 1)), select(select(b, 0, 2), 0, 0));
}

TEST_P(LargeMatrixTest, ThreadsDoNotChangeTheResult) {
  const Tensor a = Positive(520, GetParam()), b = Random({520, 530}, GetParam());
  const int before = NumThreads();
  SetNumThreads(1);
  const Tensor l = linalg_cholesky(a), lu = std::get<0>(linalg_lu_factor(b)),
               x = linalg_solve_triangular(a, b, true);
  SetNumThreads(3);
  EXPECT_TRUE(equal(linalg_cholesky(a), l));
  EXPECT_TRUE(equal(std::get<0>(linalg_lu_factor(b)), lu));
  EXPECT_TRUE(equal(linalg_solve_triangular(a, b, true), x));
  SetNumThreads(before);
}

TEST_P(LargeMatrixTest, EveryInstructionSetSolves) {
  const cpu::Isa before = cpu::ActiveIsa();
  const Tensor a = Positive(270, GetParam()), b = Random({270, 75}, GetParam());
  for (int isa = 0; isa <= cpu::BestIsa(); ++isa) {
    cpu::SetIsa(static_cast<cpu::Isa>(isa));
    ExpectNear(matmul(a, linalg_solve(a, b)), b);
    const Tensor l = linalg_cholesky(a);
    ExpectNear(matmul(l, mH(l)), a);
  }
  cpu::SetIsa(before);
}

INSTANTIATE_TEST_SUITE_P(Types, LargeMatrixTest, testing::ValuesIn(kTypes),
                         [](const auto& type) { return std::string(Name(type.param)); });

}  // namespace
}  // namespace sy
