#include <gtest/gtest.h>

#include <limits>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

// U diag(S) Vh must be A again.
void ExpectReconstructs(const Tensor& a, bool full) {
  const auto [u, s, vh] = linalg_svd(a, full);
  const int64_t k = s.size(-1);
  const Tensor scaled = mul(narrow(u, -1, 0, k), unsqueeze(s, -2));
  const Tensor error = abs(sub(matmul(scaled, narrow(vh, -2, 0, k)), a));
  EXPECT_LT(item(max(error)).To<double>(), 1e-4) << Describe(a);
}

TEST(SvdTest, FactorsMultiplyToTheMatrix) {
  for (const DType d : {DType::kFloat32, DType::kFloat64, DType::kComplex64, DType::kComplex128}) {
    for (const bool full : {true, false}) {
      ExpectReconstructs(to(rand({5, 3}), d), full);
      ExpectReconstructs(to(transpose(rand({4, 5, 7}), 0, 2), d), full);
    }
  }
}

TEST(SvdTest, SingularValuesDescend) {
  const Tensor a = tensor({{3., 0.}, {0., 4.}});
  EXPECT_EQ(Text(std::get<1>(linalg_svd(a))), "tensor([4., 3.])");
}

TEST(SvdTest, EmptyMatricesHaveUnitVectors) {
  const auto [u, s, vh] = linalg_svd(empty({2, 0}));
  EXPECT_EQ(Text(u), "tensor([[1., 0.],\n        [0., 1.]])");
}

TEST(SvdTest, NaNIsRefusedAndOutsStayAsTheyWere) {
  const Tensor a = full({2, 2, 2}, 1.), u = zeros({2, 2, 2}), s = zeros({2, 2}),
               vh = zeros({2, 2, 2});
  a.data<float>()[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(CodeOf([&] { linalg_svd_out(u, s, vh, a); }), ErrorCode::kInvalidValue);
  EXPECT_TRUE(SameBytes(s, zeros({2, 2})));
}

TEST(SvdTest, InfinitiesComeToAnEnd) {
  Tensor x = ones({2, 5, 5}, DType::kFloat64);
  fill_(select(x, 0, 1), std::numeric_limits<double>::infinity());
  const auto [u, s, vh] = linalg_svd(x);
  EXPECT_TRUE(item(all(isfinite(select(s, 0, 0)))).To<bool>());
  EXPECT_TRUE(item(all(isnan(select(u, 0, 1)))).To<bool>());
}

}  // namespace
}  // namespace sy
