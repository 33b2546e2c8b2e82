// What PyTorch has no case of: scales of rows and columns, and what is refused.
#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

constexpr DType kE4 = DType::kFloat8E4M3FN, kE5 = DType::kFloat8E5M2, kFloat = DType::kFloat32;

// [rows, columns], small integers, which 8-bit floats hold exactly.
Tensor Numbers(int64_t rows, int64_t columns, DType dtype) {
  return to(view(sub(remainder(mul(arange(rows * columns), 7), 11), 5), {rows, columns}), dtype);
}
Tensor One() { return ones({}, kFloat); }

TEST(ScaledMmTest, ScalesOfRowsAndColumns) {
  const Tensor rows = tensor({{0.5}, {2.}, {-1.}}), columns = tensor({{1., 4., 0.25, -2.}});
  for (const auto& [left, right] : {std::pair{kE4, kE4}, {kE4, kE5}, {kE5, kE4}, {kE5, kE5}}) {
    const Tensor a = Numbers(3, 5, left), b = Numbers(5, 4, right);
    const Tensor product = mul(mul(mm(to(a, kFloat), to(b, kFloat)), rows), columns);
    for (const DType d : {kFloat, DType::kBFloat16, DType::kFloat16, kE5}) {
      EXPECT_TRUE(SameBytes(_scaled_mm(a, b, rows, columns, {}, {}, d), to(product, d))) << Name(d);
    }
    EXPECT_EQ(_scaled_mm(a, b, rows, columns).dtype(), left);
  }
}

TEST(ScaledMmTest, OfAnyStridesIntoAnyStrides) {
  const Tensor a = Numbers(6, 6, kE4), scale = tensor(0.5);
  const Tensor gaps = slice(Numbers(6, 12, kE4), 1, 0, 12, 2);
  for (const Tensor& x : {a, transpose(a, 0, 1), gaps}) {
    for (const Tensor& y : {a, transpose(a, 0, 1), gaps}) {
      const Tensor expected = mul(mm(to(x, kFloat), to(y, kFloat)), 0.25);
      EXPECT_TRUE(SameBytes(_scaled_mm(x, y, scale, scale, {}, {}, kFloat), expected));
      const Tensor out = transpose(zeros({6, 6}, kFloat), 0, 1);
      _scaled_mm_out(out, x, y, scale, scale);  // of out's dtype
      EXPECT_TRUE(SameBytes(out, expected));
    }
  }
}

TEST(ScaledMmTest, BiasIsAddedInFloat32) {
  const Tensor a = Numbers(3, 5, kE4), b = Numbers(5, 4, kE4);
  const Tensor bias = tensor({1., -2., 0.00390625, 3.});
  for (const DType d : {kFloat, DType::kBFloat16, DType::kFloat16}) {
    const Tensor x = to(bias, d), sum = add(mm(to(a, kFloat), to(b, kFloat)), to(x, kFloat));
    EXPECT_TRUE(SameBytes(_scaled_mm(a, b, One(), One(), x, {}, kFloat), sum)) << Name(d);
    EXPECT_TRUE(SameBytes(_scaled_mm(a, b, One(), One(), unsqueeze(x, 0), {}, kFloat), sum));
  }
}

TEST(ScaledMmTest, AResultOf8BitsIsDivided) {
  const Tensor a = Numbers(3, 5, kE4), b = Numbers(5, 4, kE4), four = tensor(4.);
  const Tensor product = mm(to(a, kFloat), to(b, kFloat)), bias = ones({4});
  for (const DType d : {kE4, kE5}) {
    EXPECT_TRUE(SameBytes(_scaled_mm(a, b, One(), One(), {}, four, d), to(div(product, four), d)));
    EXPECT_TRUE(SameBytes(_scaled_mm(a, b, One(), One(), bias, four, d),
                          to(div(add(product, 1), four), d)));
  }
  EXPECT_TRUE(SameBytes(_scaled_mm(a, b, One(), One(), {}, four, kFloat), product));
}

TEST(ScaledMmTest, OfNothingIsTheBias) {
  const Tensor a = empty({2, 0}, kE4), b = empty({0, 3}, kE4);
  EXPECT_EQ(Text(_scaled_mm(a, b, One(), One(), tensor({1., 2., 3.}), {}, kFloat)),
            "tensor([[1., 2., 3.],\n        [1., 2., 3.]])");
}

TEST(ScaledMmTest, SaysWhatDoesNotFit) {
  const Tensor a = Numbers(3, 5, kE4), b = Numbers(5, 4, kE4);
  EXPECT_EQ(
      ErrorOf([&] { _scaled_mm(to(a, kFloat), b, One(), One()); }),
      "invalid argument: _scaled_mm(): self must be float8_e4m3fn or float8_e5m2, got float32");
  EXPECT_EQ(ErrorOf([&] { _scaled_mm(a, select(b, 1, 0), One(), One()); }),
            "invalid argument: _scaled_mm(): mat2 must be a matrix, got sizes [5]");
  EXPECT_EQ(
      ErrorOf([&] { _scaled_mm(a, a, One(), One()); }),
      "invalid argument: _scaled_mm(): inner dimensions differ: self is [3, 5], mat2 is [3, 5]");
  EXPECT_EQ(ErrorOf([&] { _scaled_mm(a, b, to(One(), DType::kFloat64), One()); }),
            "invalid argument: _scaled_mm(): scale_a must be float32, got float64");
  EXPECT_EQ(ErrorOf([&] {
              _scaled_mm(a, b, ones({3, 1}), One());
            }),
            "invalid argument: _scaled_mm(): scale_a and scale_b must have one element each, or "
            "the sizes [3, 1] and "
            "[1, 4], got [3, 1] and []");
  EXPECT_EQ(ErrorOf([&] { _scaled_mm(a, b, One(), One(), ones({3})); }),
            "invalid argument: _scaled_mm(): bias must have the sizes [4] or [1, 4], got [3]");
  EXPECT_EQ(ErrorOf([&] { _scaled_mm(a, b, One(), One(), ones({4}, kE4)); }),
            "invalid argument: _scaled_mm(): bias must be float16, bfloat16 or float32, got "
            "float8_e4m3fn");
  EXPECT_EQ(ErrorOf([&] { _scaled_mm(a, b, One(), One(), {}, ones({2})); }),
            "invalid argument: _scaled_mm(): scale_result must have one element, got sizes [2]");
  EXPECT_EQ(ErrorOf([&] { _scaled_mm(a, b, One(), One(), {}, {}, DType::kInt32); }),
            "invalid argument: _scaled_mm(): the result must be float8_e4m3fn, float8_e5m2, "
            "float16, bfloat16 or "
            "float32, got int32");
}

}  // namespace
}  // namespace sy
