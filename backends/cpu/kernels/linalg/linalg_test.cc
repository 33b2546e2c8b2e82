// Factorisations, whose factors make the matrix again in every dtype, layout and batch; linear
// equations, inverses and determinants.
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

constexpr DType kTypes[] = {DType::kFloat32, DType::kFloat64, DType::kComplex64,
                            DType::kComplex128};

Tensor PositiveDefinite(int64_t n, DType d) {
  const Tensor a = RandomMatrices(n, n, d);
  return add(matmul(a, mH(a)), eye(n, d));
}
void ExpectNear(const Tensor& a, const Tensor& b) {
  ASSERT_TRUE(SameSizes(a.sizes(), b.sizes())) << Describe(a) << " and " << Describe(b);
  EXPECT_LT(item(max(abs(sub(a, b)))).To<double>(), 2e-4) << Describe(a);
}

TEST(CholeskyTest, FactorTimesItsAdjointIsTheMatrix) {
  for (const DType d : kTypes) {
    const Tensor a = PositiveDefinite(5, d);
    const Tensor l = linalg_cholesky(a), u = linalg_cholesky(a, true);
    ExpectNear(matmul(l, mH(l)), a);
    ExpectNear(matmul(mH(u), u), a);
    ExpectNear(tril(l), l);
    ExpectNear(triu(u), u);
  }
}

TEST(CholeskyTest, SolvesAndInverts) {
  for (const DType d : kTypes) {
    const Tensor a = PositiveDefinite(4, d), b = RandomMatrices(4, 3, d);
    for (const bool upper : {false, true}) {
      const Tensor factor = linalg_cholesky(a, upper);
      ExpectNear(matmul(a, cholesky_solve(b, factor, upper)), b);
      ExpectNear(matmul(a, cholesky_inverse(factor, upper)), expand(eye(4, d), {2, 4, 4}));
    }
  }
}

TEST(CholeskyTest, WhatIsNotPositiveDefiniteIsNamedAndOutStaysAsItWas) {
  const Tensor a = stack({eye(3), tensor({{1.F, 0.F, 0.F}, {0.F, -2.F, 0.F}, {0.F, 0.F, 1.F}})});
  const Tensor out = zeros({2, 3, 3}), info = zeros({2}, DType::kInt32);
  EXPECT_EQ(
      MessageOf([&] { linalg_cholesky_out(out, a); }),
      "linalg_cholesky.out(): matrix 1 of self is not positive-definite: its leading minor of "
      "order 2 is not positive");
  EXPECT_EQ(CodeOf([&] { linalg_cholesky_ex_out(out, info, a, false, true); }),
            ErrorCode::kInvalidValue);
  EXPECT_TRUE(SameBytes(out, zeros({2, 3, 3})));
  EXPECT_EQ(Text(std::get<1>(linalg_cholesky_ex(a))), "tensor([0, 2], dtype=torch.int32)");
  EXPECT_EQ(MessageOf([] {
              cholesky_inverse(zeros({2, 2}));
            }),
            "cholesky_inverse(): matrix 0 of self is singular: diagonal element 1 of its factor is "
            "0");
}

TEST(CholeskyTest, WhatIsNoNumberIsNotPositive) {
  for (const DType d : kTypes) {
    for (const int64_t n : {2, 300}) {
      const Tensor a = eye(n, d);
      fill_(select(select(a, 0, 1), 0, 1), std::numeric_limits<double>::quiet_NaN());
      for (const bool upper : {false, true}) {
        EXPECT_EQ(item(std::get<1>(linalg_cholesky_ex(a, upper))).To<int64_t>(), 2) << d;
        EXPECT_EQ(CodeOf([&] { linalg_cholesky(a, upper); }), ErrorCode::kInvalidValue) << d;
      }
    }
  }
}

TEST(QrTest, FactorsMultiplyToTheMatrix) {
  for (const DType d : kTypes) {
    for (const auto& [m, n] : {std::pair{5, 3}, std::pair{3, 5}, std::pair{4, 4}}) {
      const Tensor a = RandomMatrices(m, n, d);
      for (const char* mode : {"reduced", "complete"}) {
        const auto [q, r] = linalg_qr(a, mode);
        ExpectNear(matmul(q, r), a);
        ExpectNear(matmul(mH(q), q), expand(eye(q.size(-1), d), {2, q.size(-1), q.size(-1)}));
        ExpectNear(triu(r), r);
      }
      ExpectNear(std::get<1>(linalg_qr(a, "r")), std::get<1>(linalg_qr(a)));
    }
  }
  EXPECT_EQ(CodeOf([] { linalg_qr(eye(2), "full"); }), ErrorCode::kInvalidArgument);
}

TEST(QrTest, OrmqrMultipliesByAllOfQ) {
  for (const DType d : kTypes) {
    const Tensor a = RandomMatrices(5, 3, d), q = std::get<0>(linalg_qr(a, "complete"));
    const auto [vectors, tau] = geqrf(a);
    const Tensor c = RandomMatrices(5, 2, d);
    ExpectNear(ormqr(vectors, tau, c), matmul(q, c));
    ExpectNear(ormqr(vectors, tau, c, true, true), matmul(mH(q), c));
    ExpectNear(ormqr(vectors, tau, mT(c), false), matmul(mT(c), q));
  }
}

TEST(QrTest, NothingToReflectGivesUnitVectors) {
  EXPECT_EQ(Text(std::get<0>(linalg_qr(empty({2, 0}), "complete"))),
            "tensor([[1., 0.],\n        [0., 1.]])");
  EXPECT_EQ(Text(linalg_householder_product(ones({2, 1}), empty({0}))),
            "tensor([[1.],\n        [0.]])");
}

TEST(LuTest, FactorsMultiplyToTheMatrix) {
  for (const DType d : kTypes) {
    for (const auto& [m, n] : {std::pair{5, 3}, std::pair{3, 5}, std::pair{4, 4}}) {
      const Tensor a = RandomMatrices(m, n, d);
      const auto [p, l, u] = linalg_lu(a);
      ExpectNear(matmul(matmul(p, l), u), a);
      ExpectNear(tril(l), l);
      ExpectNear(triu(u), u);
    }
  }
}

TEST(LuTest, SolvesFromBothSidesAndByTheAdjoint) {
  for (const DType d : kTypes) {
    const Tensor a = RandomMatrices(4, 4, d), b = RandomMatrices(4, 3, d);
    const auto [lu, pivots] = linalg_lu_factor(a);
    for (const bool adjoint : {false, true}) {
      const Tensor m = adjoint ? mH(a) : a;
      ExpectNear(matmul(m, linalg_lu_solve(lu, pivots, b, true, adjoint)), b);
      ExpectNear(matmul(linalg_lu_solve(lu, pivots, mT(b), false, adjoint), m), mT(b));
    }
  }
}

TEST(LuTest, OneFactorServesABatch) {
  const Tensor a = RandomMatrices(4, 4, DType::kFloat64), b = randn({3, 2, 4, 1}, DType::kFloat64);
  const auto [lu, pivots] = linalg_lu_factor(a);
  ExpectNear(matmul(a, linalg_lu_solve(lu, pivots, b)), b);
}

TEST(LuTest, PivotsMustBeRows) {
  const Tensor two = tensor({2}), lu = ones({1, 1});
  EXPECT_EQ(CodeOf([&] { linalg_lu_solve(lu, to(two, DType::kInt32), lu); }),
            ErrorCode::kInvalidValue);
  EXPECT_EQ(CodeOf([&] { lu_unpack(lu, to(two, DType::kInt32)); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(CodeOf([&] { linalg_lu_solve(lu, two, lu); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { linalg_lu_factor(eye(2), false); }), ErrorCode::kNotImplemented);
}

TEST(EighTest, VectorsTurnTheMatrixIntoItsValues) {
  for (const DType d : kTypes) {
    const Tensor a = PositiveDefinite(4, d);
    for (const char* uplo : {"L", "U"}) {
      const Tensor half = *uplo == 'L' ? tril(a) : triu(a);  // the other one is not read
      const auto [values, vectors] = linalg_eigh(half, uplo);
      ExpectNear(matmul(a, vectors), mul(vectors, unsqueeze(values, -2)));
      ExpectNear(linalg_eigvalsh(half, uplo), values);
    }
  }
}

// Of this size LAPACK says, in float32, that it needs less room than it then wants.
TEST(EighTest, RoomIsRoundedUp) {
  constexpr int64_t kSize = 2900;
  const Tensor values = neg(arange(kSize, DType::kFloat32));
  const auto [found, vectors] = linalg_eigh(diag(values));
  EXPECT_TRUE(equal(found, flip(values, {0})));
  EXPECT_TRUE(equal(abs(vectors), flip(eye(kSize), {0})));
}
TEST(EighTest, NaNIsRefusedAndOutsStayAsTheyWere) {
  const Tensor a = full({2, 3, 3}, std::numeric_limits<float>::quiet_NaN());
  const Tensor values = zeros({2, 3}), vectors = zeros({2, 3, 3});
  EXPECT_EQ(CodeOf([&] { linalg_eigh_out(values, vectors, a); }), ErrorCode::kInvalidValue);
  EXPECT_TRUE(SameBytes(values, zeros({2, 3})));
  EXPECT_EQ(CodeOf([] { linalg_eigh(eye(2), "X"); }), ErrorCode::kInvalidArgument);
}

TEST(SvdvalsTest, AreThoseOfTheDecomposition) {
  for (const DType d : kTypes) {
    const Tensor a = RandomMatrices(4, 3, d);
    ExpectNear(linalg_svdvals(a), std::get<1>(linalg_svd(a)));
    const auto [u, s, v] = svd(a);
    ExpectNear(matmul(mul(u, unsqueeze(s, -2)), mH(v)), a);
  }
}

TEST(SolveTest, VectorsAndMatricesOnBothSides) {
  const Tensor a = tensor({{2., 0.}, {1., 4.}});
  EXPECT_EQ(Text(linalg_solve(a, tensor({2., 9.}))), "tensor([1., 2.])");
  EXPECT_EQ(Text(linalg_solve(a, tensor({{2.}, {9.}}))), "tensor([[1.],\n        [2.]])");
  EXPECT_EQ(Text(linalg_solve(a, tensor({{4., 8.}}), false)), "tensor([[1., 2.]])");
}

// Large enough for the library's own threads, of which two callers have none at a time.
TEST(SolveTest, LargeMatricesByCallersSideBySide) {
  const Tensor a = add(RandomMatrices(1500, 1500, DType::kFloat64), mul(eye(1500), 100)),
               b = RandomMatrices(1500, 2, DType::kFloat64);
  const auto solve = [&] { ExpectNear(matmul(a, linalg_solve(a, b)), b); };
  std::thread other(solve);
  solve();
  other.join();
}
TEST(SolveTest, BatchesBroadcast) {
  const Tensor a = mul(eye(2), reshape(tensor({1., 2., 4.}), {3, 1, 1}));
  const Tensor x = linalg_solve(a, ones({2, 1, 2, 1}));
  EXPECT_EQ(Text(select(select(x, -1, 0), -1, 1)),
            "tensor([[1.0000, 0.5000, 0.2500],\n        [1.0000, 0.5000, 0.2500]])");
}

TEST(SolveTest, SingularMatricesAreNamedByBatchAndPivot) {
  const Tensor a = stack({eye(2), tensor({{1.F, 2.F}, {2.F, 4.F}})}), b = ones({2, 2, 1});
  const Tensor out = zeros({2, 2, 1});
  EXPECT_EQ(MessageOf([&] { linalg_solve_out(out, a, b); }),
            "linalg_solve.out(): matrix 1 of A is singular: diagonal element 2 of its factor is 0");
  EXPECT_TRUE(SameBytes(out, zeros({2, 2, 1})));
  EXPECT_EQ(MessageOf([&] { linalg_inv(a); }),
            "linalg_inv(): matrix 1 of A is singular: diagonal element 2 of its factor is 0");
  EXPECT_EQ(MessageOf([] {
              inverse(zeros({3, 3}));
            }),
            "inverse(): matrix 0 of A is singular: diagonal element 1 of its factor is 0");
  EXPECT_EQ(MessageOf([&] { linalg_lu_factor(a); }),
            "linalg_lu_factor(): matrix 1 of A is singular: diagonal element 2 of its factor is 0");
  EXPECT_EQ(CodeOf([&] { linalg_inv_ex(a, true); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(CodeOf([&] { linalg_solve_ex(a, b, true, true); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(CodeOf([&] { linalg_lu_factor_ex(a, true, true); }), ErrorCode::kInvalidValue);
  EXPECT_EQ(Text(std::get<1>(linalg_inv_ex(a))), "tensor([0, 2], dtype=torch.int32)");
}

TEST(SolveTest, ArgumentsThatDoNotFitAreNamed) {
  EXPECT_EQ(MessageOf([] {
              linalg_solve(ones({2, 3}), ones({2, 1}));
            }),
            "linalg_solve(): A must be square matrices, got sizes [2, 3]");
  EXPECT_EQ(MessageOf([] {
              linalg_solve(eye(2), ones({3, 1}));
            }),
            "linalg_solve(): B must have as many rows as A, got sizes [3, 1] and [2, 2]");
  EXPECT_EQ(MessageOf([] {
              linalg_solve(eye(2), ones({2, 1}, DType::kFloat64));
            }),
            "linalg_solve(): A and B must have the same dtype, got float32 and float64");
  EXPECT_EQ(MessageOf([] {
              linalg_inv(ones({2, 2}, DType::kInt64));
            }),
            "linalg_inv(): A must be float32, float64, complex64 or complex128, got int64");
  EXPECT_EQ(CodeOf([] { linalg_solve(eye(2), ones({2}), false); }), ErrorCode::kInvalidArgument);
}

TEST(SolveTest, NothingToSolve) {
  EXPECT_EQ(linalg_solve(empty({3, 0, 0}), empty({3, 0, 2})).numel(), 0);
  EXPECT_EQ(linalg_inv(empty({0, 2, 2})).numel(), 0);
  EXPECT_EQ(Text(linalg_det(empty({2, 0, 0}))), "tensor([1., 1.])");
}

TEST(InverseTest, InPlaceOfItsOwnArgument) {
  const Tensor a = tensor({{2.F, 0.F}, {0.F, 4.F}});
  linalg_inv_out(a, a);
  EXPECT_EQ(Text(a), "tensor([[0.5000, 0.0000],\n        [0.0000, 0.2500]])");
}

TEST(TriangularTest, TheOtherTriangleAndAUnitDiagonalAreNotRead) {
  const Tensor a = tensor({{2., 8.}, {1., 4.}}), b = tensor({{4.}, {8.}});
  EXPECT_EQ(Text(linalg_solve_triangular(a, b, true)), "tensor([[-6.],\n        [ 2.]])");
  EXPECT_EQ(Text(linalg_solve_triangular(a, b, false)), "tensor([[2.0000],\n        [1.5000]])");
  EXPECT_EQ(Text(linalg_solve_triangular(a, b, false, true, true)),
            "tensor([[4.],\n        [4.]])");
  EXPECT_EQ(Text(linalg_solve_triangular(a, mT(b), true, false)), "tensor([[ 2., -2.]])");
  EXPECT_EQ(Text(std::get<0>(triangular_solve(b, a, true, true))),
            "tensor([[ 2.],\n        [-2.]])");
}

TEST(DeterminantTest, SignsFollowExchangedRows) {
  const Tensor a = tensor({{0., 1.}, {2., 0.}});
  EXPECT_EQ(Text(det(a)), "tensor(-2.)");
  const auto [sign, logabsdet] = slogdet(a);
  EXPECT_EQ(Text(sign), "tensor(-1.)");
  EXPECT_EQ(Text(logabsdet), "tensor(0.6931)");
  EXPECT_EQ(Text(logdet(a)), "tensor(nan)");
  EXPECT_EQ(Text(det(zeros({2, 2}))), "tensor(0.)");
  EXPECT_EQ(Text(std::get<1>(linalg_slogdet(zeros({2, 2})))), "tensor(-inf)");
  EXPECT_EQ(Text(det(to(a, DType::kComplex64))), "tensor(-2.+0.j)");
}

}  // namespace
}  // namespace sy
