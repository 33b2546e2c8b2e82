// Functions that are no operators. Expected numbers: PyTorch 2.11.

#include <gtest/gtest.h>

#include <vector>

#include "switchyard/switchyard.h"

namespace sy {
namespace {

void ExpectEqual(const Tensor& a, const Tensor& b) { EXPECT_TRUE(equal(a, b)) << a << "\n" << b; }
void ExpectClose(const Tensor& a, const Tensor& b, double rtol = 1e-5, double atol = 1e-8) {
  EXPECT_TRUE(allclose(a, b, rtol, atol)) << a << "\n" << b;
}

Tensor Matrix() { return tensor({{3, 1, 0}, {1, 2, 1}, {0, 1, 4}, {2, 0, 1}}, DType::kFloat64); }
// From a basis of two random columns: no part of the result is exact, so that it tells the seed.
TEST(LowRankTest, EqualSeedsGivePyTorchsNumbers) {
  manual_seed(0);
  const auto [U, S, V] = svd_lowrank(Matrix(), 2, 0);
  ExpectClose(S, tensor({4.481493180498728, 2.3740042488706177}, DType::kFloat64));
  ExpectClose(abs(U[0]), tensor({0.0145177579185152, 0.4582921907497226}, DType::kFloat64));
  EXPECT_TRUE(V.sizes() == (std::vector<int64_t>{3, 2}));
  manual_seed(0);
  ExpectClose(std::get<1>(svd_lowrank(Matrix(), 2)),
              tensor({4.803846131790786, 3.541096744226117}, DType::kFloat64));
  manual_seed(0);
  ExpectClose(std::get<1>(svd_lowrank(t(Matrix()), 2, 0, ones({1, 4}, DType::kFloat64))),
              tensor({3.6299281352453074, 1.764565231580468}, DType::kFloat64));
  manual_seed(0);
  ExpectClose(std::get<1>(pca_lowrank(Matrix(), 2)),
              tensor({3.6544223835176157, 1.536094720618157}, DType::kFloat64));
}

TEST(LowRankTest, TheFactorsMakeUpAMatrixOfThatRank) {
  const Tensor a = transpose(reshape(arange(24, DType::kFloat64), {2, 4, 3}), 1, 2);
  const auto [U, S, V] = svd_lowrank(a);
  ExpectClose(matmul(mul(U, unsqueeze(S, -2)), mH(V)), a);
}

TEST(LowRankTest, RefusesWhatIsNoMatrixOrRank) {
  EXPECT_THROW(svd_lowrank(ones({3})), Error);
  EXPECT_THROW(pca_lowrank(ones({3})), Error);
  EXPECT_THROW(pca_lowrank(Matrix(), 4), Error);
  EXPECT_THROW(pca_lowrank(Matrix(), 2, true, -1), Error);
}

TEST(LobpcgTest, FindsTheEigenvaluesAtEitherEnd) {
  manual_seed(0);
  const Tensor half = randn({2, 20, 20}, DType::kFloat64), a = matmul(half, mT(half));
  const Tensor other = randn({2, 20, 20}, DType::kFloat64);
  const Tensor b = add(matmul(other, mT(other)), eye(20, DType::kFloat64));
  const Tensor all = linalg_eigvalsh(a);
  const auto [most, vectors] = lobpcg(a, 2);
  ExpectClose(most, flip(narrow(all, -1, 18, 2), {-1}));
  ExpectClose(matmul(a, vectors), mul(vectors, unsqueeze(most, -2)), 1e-4, 1e-4);
  EXPECT_TRUE(vectors.sizes() == (std::vector<int64_t>{2, 20, 2}));
  ExpectClose(std::get<0>(lobpcg(a, {.k = 1, .n = 3, .largest = false})), narrow(all, -1, 0, 1),
              1e-5, 1e-7);
  const auto [E, X] = lobpcg(a, {.k = 2, .B = b});
  ExpectClose(matmul(a, X), mul(matmul(b, X), unsqueeze(E, -2)), 1e-4, 1e-4);
}

TEST(LobpcgTest, BeginsAndEndsWhereItIsTold) {
  const Tensor a = diag(arange(9, DType::kFloat64));
  const Tensor start = narrow(flip(eye(9, DType::kFloat64), {1}), 1, 0, 2);
  ExpectClose(std::get<0>(lobpcg(a, {.X = start, .niter = 0})), tensor({8, 7}, DType::kFloat64));
  EXPECT_THROW(lobpcg(ones({3, 4}), 1), Error);
  EXPECT_THROW(lobpcg(eye(5), 2), Error);  // 3 n rows at least
  EXPECT_THROW(lobpcg(eye(9), 0), Error);
  EXPECT_THROW(lobpcg(eye(9), {.k = 2, .n = 1}), Error);
  EXPECT_THROW(lobpcg(eye(9), {.B = eye(8)}), Error);
}

TEST(UnravelIndexTest, GivesACoordinateForEachDimension) {
  const std::vector<Tensor> at = unravel_index(tensor({0, 5, -1, 7}), {2, 3});
  ASSERT_EQ(at.size(), 2u);
  ExpectEqual(at[0], tensor({0, 1, 1, 0}));
  ExpectEqual(at[1], tensor({0, 2, 2, 1}));
  ExpectEqual(unravel_index(tensor({3}, DType::kInt8), {2, 300})[1], tensor({3}));
  EXPECT_TRUE(unravel_index(tensor({1}), {}).empty());
  EXPECT_THROW(unravel_index(tensor({1.}), {2}), Error);
  EXPECT_THROW(unravel_index(tensor({1}), {2, -3}), Error);
}

TEST(UniqueTest, GivesPositionsAndCountsWhereAsked) {
  const Tensor x = tensor({{3, 1}, {3, 1}, {0, 2}});
  const auto [values, inverse, counts] = unique(x, true, true, true);
  ExpectEqual(values, tensor({0, 1, 2, 3}));
  ExpectEqual(inverse, tensor({{3, 1}, {3, 1}, {0, 2}}));
  ExpectEqual(counts, tensor({1, 2, 1, 2}));
  const auto [rows, none, of_each] = unique(x, true, false, true, 0);
  ExpectEqual(rows, tensor({{0, 2}, {3, 1}}));
  EXPECT_EQ(none.numel(), 0);
  ExpectEqual(of_each, tensor({1, 2}));
}

TEST(AssertTest, ThrowsTheMessage) {
  _assert(true, "fine");
  _assert(tensor(2), "fine");
  try {
    _assert(tensor({false}), "x must be positive");
    FAIL();
  } catch (const Error& e) {
    EXPECT_NE(std::string(e.what()).find("x must be positive"), std::string::npos);
  }
  EXPECT_THROW(_assert(false, "no"), Error);
}

TEST(DefaultDeviceTest, IsWhereLiteralsAreMade) {
  SetDefaultDevice("meta");
  const Tensor t = tensor({1, 2}), v = tensor(std::vector<float>{1});
  SetDefaultDevice(kCpu);
  EXPECT_EQ(t.device(), "meta");
  EXPECT_EQ(v.device(), "meta");
  EXPECT_EQ(result_type(1, 2.5), DType::kFloat32);
  EXPECT_EQ(result_type(1, true), DType::kInt64);
}

}  // namespace
}  // namespace sy
