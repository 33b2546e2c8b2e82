#include <gtest/gtest.h>

#include <complex>
#include <limits>

#include "switchyard/backends/cpu/kernels/testing.h"

namespace sy {
namespace {

TEST(CumsumTest, SumsAlongTheFirstDimensionAreThoseAlongTheLast) {
  const Tensor x = view(sin(arange(90000, DType::kFloat32)), {300, 300});
  const ThreadsScope threads(4);
  EXPECT_TRUE(SameBytes(cumsum(x, 0), transpose(cumsum(transpose(x, 0, 1), 1), 0, 1)));
}

// Rows are scanned some at a time, each some elements at a time.
TEST(CumsumTest, AnyNumberOfRowsOfAnyLength) {
  for (const DType dtype : {DType::kInt64, DType::kInt32, DType::kFloat32, DType::kComplex64}) {
    for (int64_t rows = 1; rows <= 6; ++rows) {
      for (int64_t n = 1; n <= 5; ++n) {
        const Tensor x = to(view(arange(rows * n), {rows, n}), dtype);
        const Tensor sums = cumsum(x, 1, dtype), strided = cumsum(slice(x, 1, 0, n, 2), 1, dtype);
        Tensor sum = zeros({rows}, dtype), of_strided = sum;
        for (int64_t i = 0; i < n; ++i) {
          sum = add(sum, select(x, 1, i));
          EXPECT_TRUE(equal(select(sums, 1, i), sum)) << Name(dtype) << rows << " x " << n;
          if (i % 2 != 0) continue;
          of_strided = add(of_strided, select(x, 1, i));
          EXPECT_TRUE(equal(select(strided, 1, i / 2), of_strided));
        }
      }
    }
  }
}

TEST(CumsumTest, Float32IsAccumulatedInFloat64) {
  EXPECT_EQ(Text(cumsum(tensor({1e8, 1., -1e8}), 0)
                     .AsStrided(std::array<int64_t, 1>{1}, std::array<int64_t, 1>{1}, 2)),
            "tensor([1.])");
}

// As mul multiplies, without the infinities that the standard library makes of NaNs.
TEST(CumprodTest, ComplexInfinitiesAreMultipliedByParts) {
  const double inf = std::numeric_limits<double>::infinity();
  using C = std::complex<double>;
  for (const DType dtype : {DType::kComplex64, DType::kComplex128}) {
    const Tensor x = to(tensor({C(inf, 1), C(0, 1), C(2, 0)}), dtype);
    const Tensor products = cumprod(x, 0);
    Tensor product = ones({}, dtype);
    for (int64_t i = 0; i < 3; ++i) {
      product = mul(product, select(x, 0, i));
      EXPECT_EQ(Text(select(products, 0, i)), Text(product)) << Name(dtype) << i;
    }
  }
}

TEST(CumsumTest, WritesInPlace) {
  const Tensor x = view(arange(6), {2, 3});
  cumsum_(x, 0);
  EXPECT_EQ(Text(x), "tensor([[0, 1, 2],\n        [3, 5, 7]])");
}

TEST(CummaxTest, TheLastOfEqualElementsIsNamed) {
  const auto [values, indices] = cummax(tensor({1, 3, 3, 2}), 0);
  EXPECT_EQ(Text(values), "tensor([1, 3, 3, 3])");
  EXPECT_EQ(Text(indices), "tensor([0, 1, 2, 2])");
}

}  // namespace
}  // namespace sy
