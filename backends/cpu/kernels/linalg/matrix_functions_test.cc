// Eigenvalues of any matrix, LDL, least squares, pseudoinverses, norms, powers.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

constexpr DType kTypes[] = {DType::kFloat32, DType::kFloat64, DType::kComplex64,
                            DType::kComplex128};
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void ExpectNear(const Tensor& a, const Tensor& b) {
  ASSERT_TRUE(SameSizes(a.sizes(), b.sizes())) << Describe(a) << " and " << Describe(b);
  EXPECT_LT(item(max(abs(sub(a, b)))).To<double>(), 1e-3) << Describe(a);
}

TEST(EigTest, VectorsTurnTheMatrixIntoItsValues) {
  for (const DType d : kTypes) {
    const Tensor a = RandomMatrices(5, 5, d);
    const auto [values, vectors] = linalg_eig(a);
    ExpectNear(matmul(to(a, values.dtype()), vectors), mul(vectors, unsqueeze(values, -2)));
    ExpectNear(linalg_vector_norm(vectors, 2, -2), ones({2, 5}, RealType(d)));
    ExpectNear(sum(linalg_eigvals(a), -1), sum(values, -1));
  }
}

TEST(EigTest, InfinitiesAreRefused) {
  EXPECT_EQ(CodeOf([] { linalg_eig(full({2, 2}, kInfinity)); }), ErrorCode::kInvalidValue);
}

TEST(LdlTest, FactorsSolveEquations) {
  for (const DType d : kTypes) {
    for (const bool hermitian : {false, true}) {
      const Tensor a = RandomMatrices(4, 4, d), b = RandomMatrices(4, 3, d);
      const Tensor symmetric = add(a, hermitian ? mH(a) : mT(a));
      const auto [ld, pivots] = linalg_ldl_factor(tril(symmetric), hermitian);
      ExpectNear(matmul(symmetric, linalg_ldl_solve(ld, pivots, b, hermitian)), b);
    }
  }
}

TEST(LdlTest, PivotsMustBeRowsOrPairs) {
  const Tensor one = ones({1, 1});
  for (const int64_t pivot : {0, 2, -1}) {
    EXPECT_EQ(CodeOf([&] { linalg_ldl_solve(one, full({1}, pivot, DType::kInt32), one); }),
              ErrorCode::kInvalidValue);
  }
  EXPECT_EQ(CodeOf([] { linalg_ldl_factor(zeros({2, 2})); }), ErrorCode::kInvalidValue);
}

TEST(LstsqTest, EveryDriverFindsTheLeastSquares) {
  for (const DType d : kTypes) {
    for (const auto& [m, n] : {std::pair{5, 3}, std::pair{3, 5}, std::pair{4, 4}}) {
      const Tensor a = RandomMatrices(m, n, d), b = RandomMatrices(m, 2, d);
      const Tensor expected = matmul(linalg_pinv(a, 1e-6), b);
      for (const char* driver : {"gels", "gelsy", "gelsd", "gelss"}) {
        const auto [x, residuals, rank, values] = linalg_lstsq(a, b, {}, driver);
        ExpectNear(x, expected);
        const std::string_view name = driver;
        EXPECT_EQ(residuals.numel(), m > n && name != "gelsy" ? 4 : 0);
        EXPECT_EQ(rank.numel(), name == "gels" ? 0 : 2);
        EXPECT_EQ(values.numel(), name == "gelsd" || name == "gelss" ? 2 * std::min(m, n) : 0);
      }
    }
  }
}

TEST(LstsqTest, DependentColumnsGiveTheShortestSolutionWithoutResiduals) {
  const auto [x, residuals, rank, values] =
      linalg_lstsq(ones({3, 2}), tensor({1.F, 2.F, 3.F}), {}, "gelsd");
  ExpectNear(x, ones({2}));
  EXPECT_EQ(residuals.numel(), 0);
  EXPECT_EQ(Text(rank), "tensor(1)");
  EXPECT_EQ(CodeOf([] { linalg_lstsq(eye(2), eye(3)); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { linalg_lstsq(eye(2), eye(2), {}, "gelsx"); }), ErrorCode::kInvalidArgument);
}

TEST(PinvTest, SmallSingularValuesCountAsNothing) {
  const Tensor a = tensor({{2., 0.}, {0., 1e-3}});
  EXPECT_EQ(Text(linalg_pinv(a, 0.01)), "tensor([[0.5000, 0.0000],\n        [0.0000, 0.0000]])");
  EXPECT_EQ(Text(linalg_matrix_rank(a, 0.01)), "tensor(1)");
  EXPECT_EQ(Text(linalg_matrix_rank(a, 1e-4)), "tensor(2)");
  EXPECT_EQ(Text(linalg_matrix_rank(tensor({{-2., 0.}, {0., 1e-3}}), 0.01, true)), "tensor(1)");
  EXPECT_EQ(linalg_pinv(empty({2, 0, 3}), 0.).size(-1), 0);
}

TEST(PinvTest, InvertsWhatCanBeInverted) {
  for (const DType d : kTypes) {
    const Tensor a = RandomMatrices(5, 3, d), p = pinverse(a);
    ExpectNear(matmul(matmul(a, p), a), a);
    ExpectNear(matmul(matmul(p, a), p), p);
    const Tensor h = add(matmul(a, mH(a)), eye(5, d));
    ExpectNear(matmul(linalg_pinv(h, 1e-6, true), h), expand(eye(5, d), {2, 5, 5}));
  }
}

TEST(MatrixNormTest, OfEveryOrder) {
  const Tensor a = tensor({{3., 0.}, {-4., 1.}});
  EXPECT_EQ(Text(linalg_matrix_norm(a, 1)), "tensor(7.)");
  EXPECT_EQ(Text(linalg_matrix_norm(a, -1)), "tensor(1.)");
  EXPECT_EQ(Text(linalg_matrix_norm(a, kInfinity)), "tensor(5.)");
  EXPECT_EQ(Text(linalg_matrix_norm(a, -kInfinity)), "tensor(3.)");
  EXPECT_EQ(Text(linalg_matrix_norm(a, "fro")), "tensor(5.0990)");
  EXPECT_EQ(Text(linalg_matrix_norm(tensor({{0., 2.}, {3., 0.}}), 2)), "tensor(3.)");
  EXPECT_EQ(Text(linalg_matrix_norm(tensor({{0., 2.}, {3., 0.}}), "nuc")), "tensor(5.)");
  EXPECT_EQ(CodeOf([&] { linalg_matrix_norm(a, 3); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { linalg_matrix_norm(a, "max"); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { linalg_matrix_norm(ones({2}), 1); }), ErrorCode::kInvalidArgument);
}

TEST(MatrixNormTest, OfAnyTwoDimensions) {
  const Tensor a = rand({2, 3, 4});
  for (const Scalar& ord : {Scalar(1), Scalar(2), Scalar(kInfinity)}) {
    const Tensor expected = linalg_matrix_norm(permute(a, {1, 2, 0}), ord);
    ExpectNear(linalg_matrix_norm(a, ord, {2, 0}), expected);
    ExpectNear(squeeze(linalg_matrix_norm(a, ord, {2, 0}, true)), expected);
  }
}

TEST(CondTest, OfSingularMatricesIsInfinite) {
  const Tensor a = tensor({{2., 0.}, {0., 8.}});
  EXPECT_EQ(Text(linalg_cond(a)), "tensor(4.)");
  EXPECT_EQ(Text(linalg_cond(a, -2)), "tensor(0.2500)");
  EXPECT_EQ(Text(linalg_cond(a, 1)), "tensor(4.)");
  EXPECT_EQ(Text(linalg_cond(zeros({2, 2}), 1)), "tensor(inf)");
}

TEST(MatrixPowerTest, SquaresAndInverts) {
  const Tensor a = tensor({{1., 1.}, {0., 1.}});
  EXPECT_EQ(Text(linalg_matrix_power(a, 5)), "tensor([[1., 5.],\n        [0., 1.]])");
  EXPECT_EQ(Text(linalg_matrix_power(a, -3)), "tensor([[ 1., -3.],\n        [ 0.,  1.]])");
  EXPECT_EQ(Text(linalg_matrix_power(a, 0)), "tensor([[1., 0.],\n        [0., 1.]])");
  EXPECT_EQ(CodeOf([] { linalg_matrix_power(zeros({2, 2}), -1); }), ErrorCode::kInvalidValue);
}

TEST(MatrixExpTest, OfLargeAndSmallMatricesInOneBatch) {
  // exp of [[0, t], [-t, 0]] is the rotation by t.
  const Tensor t = tensor({1e-3, 1., 40.});
  const Tensor zero = zeros_like(t);
  const Tensor a = reshape(stack({zero, t, neg(t), zero}, -1), {3, 2, 2});
  const Tensor expected = reshape(stack({cos(t), sin(t), neg(sin(t)), cos(t)}, -1), {3, 2, 2});
  EXPECT_LT(item(max(abs(sub(matrix_exp(a), expected)))).To<double>(), 1e-6);
  const Tensor exact = linalg_matrix_exp(to(a, DType::kFloat64));
  EXPECT_LT(item(max(abs(sub(exact, to(expected, DType::kFloat64))))).To<double>(), 1e-5);
  EXPECT_EQ(CodeOf([] { matrix_exp(ones({2, 3})); }), ErrorCode::kInvalidArgument);
}

TEST(VanderTest, PowersOfEachNumber) {
  EXPECT_EQ(Text(linalg_vander(tensor({2, 3}), 3)), "tensor([[1, 2, 4],\n        [1, 3, 9]])");
  EXPECT_EQ(CodeOf([] { linalg_vander(tensor({2, 3}), 1); }), ErrorCode::kInvalidArgument);
}

TEST(TensorsolveTest, UndoesTheSumOfProducts) {
  const Tensor a = add(reshape(eye(6), {2, 3, 3, 2}), mul(rand({2, 3, 3, 2}), 0.1)),
               x = rand({3, 2});
  ExpectNear(linalg_tensorsolve(a, tensordot(a, x, {2, 3}, {0, 1})), x);
  ExpectNear(tensordot(linalg_tensorinv(a), tensordot(a, x, {2, 3}, {0, 1}), {2, 3}, {0, 1}), x);
  EXPECT_EQ(CodeOf([] { linalg_tensorinv(ones({2, 3}), 1); }), ErrorCode::kInvalidArgument);
}

TEST(ChainMatmulTest, OneMatrixIsItsProduct) {
  EXPECT_EQ(Text(chain_matmul({eye(2)})), "tensor([[1., 0.],\n        [0., 1.]])");
  EXPECT_EQ(Text(chain_matmul({ones({1, 2}), ones({2, 1})})), "tensor([[2.]])");
}

}  // namespace
}  // namespace sy
