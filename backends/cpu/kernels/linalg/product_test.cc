#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

// [rows, columns], small integers, which every dtype holds exactly.
Tensor Numbers(int64_t rows, int64_t columns, DType dtype) {
  const Tensor t = empty({rows, columns}, DType::kInt64);
  for (int64_t i = 0; i < t.numel(); ++i) t.data<int64_t>()[i] = i * 7 % 5;
  return to(t, dtype);
}

// a b, element by element.
Tensor Expected(const Tensor& a, const Tensor& b) {
  const Tensor x = contiguous(to(a, DType::kInt64)), y = contiguous(to(b, DType::kInt64));
  const int64_t m = x.size(0), k = x.size(1), n = y.size(1);
  const Tensor out = zeros({m, n}, DType::kInt64);
  for (int64_t i = 0; i < m * n * k; ++i) {
    const int64_t row = i / k / n, column = i / k % n;
    out.data<int64_t>()[i / k] +=
        x.data<int64_t>()[row * k + i % k] * y.data<int64_t>()[i % k * n + column];
  }
  return to(out, a.dtype());
}

constexpr DType kDTypes[] = {DType::kUInt8,   DType::kInt8,      DType::kInt16,     DType::kInt32,
                             DType::kInt64,   DType::kFloat16,   DType::kBFloat16,  DType::kFloat32,
                             DType::kFloat64, DType::kComplex64, DType::kComplex128};

TEST(MmTest, MultipliesEveryDTypeOfNumbers) {
  for (const DType d : kDTypes) {
    const Tensor a = Numbers(7, 5, d), b = Numbers(5, 9, d);
    EXPECT_TRUE(SameBytes(mm(a, b), Expected(a, b))) << Name(d);
  }
}

TEST(MmTest, TakesOperandsOfAnyStrides) {
  for (const DType d : {DType::kFloat32, DType::kComplex128, DType::kInt16, DType::kBFloat16}) {
    const Tensor rows = Numbers(6, 6, d), columns = transpose(rows, 0, 1);
    const Tensor gaps = slice(Numbers(6, 12, d), 1, 0, 12, 2);
    const Tensor same = expand(Numbers(1, 6, d), {6, 6});
    for (const Tensor& a : {rows, columns, gaps, same}) {
      for (const Tensor& b : {rows, columns, gaps, same})
        EXPECT_TRUE(SameBytes(mm(a, b), Expected(a, b))) << Name(d);
    }
  }
}

TEST(MmTest, WritesAnOutOfAnyStrides) {
  const Tensor a = Numbers(3, 4, DType::kFloat64), b = Numbers(4, 5, DType::kFloat64);
  const Tensor columns = transpose(zeros({5, 3}, DType::kFloat64), 0, 1);
  const Tensor gaps = slice(zeros({3, 10}, DType::kFloat64), 1, 0, 10, 2);
  for (const Tensor& out : {columns, gaps}) {
    mm_out(out, a, b);
    EXPECT_TRUE(SameBytes(out, Expected(a, b)));
  }
}

TEST(MmTest, AnOutThatIsAnOperandIsWrittenLast) {
  const Tensor a = Numbers(6, 6, DType::kFloat64), expected = Expected(a, a);
  mm_out(a, a, a);
  EXPECT_TRUE(SameBytes(a, expected));
}

TEST(MmTest, OfNothingIsZero) {
  EXPECT_EQ(Text(mm(empty({2, 0}), empty({0, 2}))), "tensor([[0., 0.],\n        [0., 0.]])");
}

TEST(MmTest, BlocksOfThreadsMakeUpTheWhole) {
  const ThreadsScope threads(4);
  const Tensor a = Numbers(301, 205, DType::kFloat32), b = Numbers(205, 307, DType::kFloat32);
  EXPECT_TRUE(SameBytes(mm(a, b), Expected(a, b)));
}

TEST(MmTest, LargeProductsOfHalvesAreSummedInFloatAndRoundedOnce) {
  const ThreadsScope threads(2);
  for (const DType d : {DType::kFloat16, DType::kBFloat16}) {
    const Tensor a = Numbers(130, 120, d), b = Numbers(120, 140, d);
    const Tensor wide = Expected(to(a, DType::kFloat32), to(b, DType::kFloat32));
    EXPECT_TRUE(SameBytes(mm(a, b), to(wide, d))) << Name(d);
    EXPECT_TRUE(SameBytes(mm(transpose(b, 0, 1), transpose(a, 0, 1)), to(transpose(wide, 0, 1), d)))
        << Name(d);
  }
}

TEST(MmTest, SmallIntegersWrapAround) {
  EXPECT_EQ(Text(mm(full({1, 2}, 100, DType::kInt8), full({2, 1}, 100, DType::kInt8))),
            "tensor([[32]], dtype=torch.int8)");
}

TEST(MmTest, RefusesBool) {
  const Tensor b = ones({2, 2}, DType::kBool);
  EXPECT_EQ(CodeOf([&] { mm(b, b); }), ErrorCode::kNotImplemented);
}

TEST(BmmTest, MultipliesEachPair) {
  const ThreadsScope threads(4);
  const Tensor a = view(Numbers(24, 5, DType::kFloat32), {8, 3, 5});
  const Tensor b = transpose(view(Numbers(32, 5, DType::kFloat32), {8, 4, 5}), 1, 2);
  const Tensor product = bmm(a, b);
  for (int64_t i = 0; i < 8; ++i)
    EXPECT_TRUE(SameBytes(select(product, 0, i), mm(select(a, 0, i), select(b, 0, i))));
}

TEST(MvTest, MultipliesEveryDTypeByAStridedVector) {
  for (const DType d : kDTypes) {
    const Tensor a = Numbers(7, 5, d), b = Numbers(5, 3, d);
    EXPECT_TRUE(SameBytes(mv(a, select(b, 1, 1)), select(Expected(a, b), 1, 1))) << Name(d);
    EXPECT_TRUE(SameBytes(mv(transpose(b, 0, 1), select(b, 1, 1)),
                          select(Expected(transpose(b, 0, 1), b), 1, 1)))
        << Name(d);
  }
}

TEST(MvTest, ThreadsShareRows) {
  const ThreadsScope threads(4);
  const Tensor a = Numbers(999, 501, DType::kFloat64), b = Numbers(501, 1, DType::kFloat64);
  EXPECT_TRUE(SameBytes(mv(a, select(b, 1, 0)), select(Expected(a, b), 1, 0)));
}

TEST(DotTest, SumsProductsOfEveryDType) {
  for (const DType d : kDTypes) {
    EXPECT_TRUE(SameBytes(dot(tensor({1, 2, 3}, d), tensor({4, 5, 6}, d)), tensor(32, d)))
        << Name(d);
  }
}

TEST(DotTest, OfManyPartsIsTheSameForAnyNumberOfThreads) {
  const Tensor a = rand({200001}), b = rand({200001});
  const Tensor one = [&] {
    const ThreadsScope threads(1);
    return dot(a, b);
  }();
  const ThreadsScope threads(4);
  EXPECT_TRUE(SameBytes(dot(a, b), one));
}

TEST(MatmulTest, BatchesBroadcast) {
  const Tensor a = ones({2, 1, 3, 4}), b = ones({5, 4, 2});
  EXPECT_TRUE(SameBytes(matmul(a, b), full({2, 5, 3, 2}, 4.)));
}

TEST(CrossTest, IsPerpendicular) {
  EXPECT_EQ(Text(linalg_cross(tensor({1., 0., 0.}), tensor({0., 1., 0.}))), "tensor([0., 0., 1.])");
}

TEST(CrossTest, BroadcastsAlongOtherDimensions) {
  EXPECT_EQ(Text(linalg_cross(tensor({{1, 2, 3}}), tensor({{3, 2, 1}, {1, 2, 3}}))),
            "tensor([[-4,  8, -4],\n        [ 0,  0,  0]])");
}

// "mm.dtype", "bmm.dtype", "addmm.dtype", "baddbmm.dtype", and "mm.dtype_out", "bmm.dtype_out",
// "addmm.dtype_out", "baddbmm.dtype_out", which PyTorch has for cuda alone.
TEST(ProductTest, OfHalvesInFloat32WhereTheCallSaysSo) {
  const DType d = DType::kFloat32;
  const Tensor a = Numbers(3, 5, DType::kFloat16), b = Numbers(5, 2, DType::kFloat16);
  const Tensor bias = ones({3, 2}, DType::kFloat16), x = unsqueeze(a, 0), y = unsqueeze(b, 0);
  const Tensor wide = Expected(to(a, d), b);
  const std::string product = Text(wide), sum = Text(add(wide, 1));
  const auto none = [&] { return empty({0}, d); };
  EXPECT_EQ(Text(mm(a, b, d)), product);
  EXPECT_EQ(Text(mm_out(none(), a, b, d)), product);
  EXPECT_EQ(Text(addmm(bias, a, b, d)), sum);
  EXPECT_EQ(Text(addmm_out(none(), bias, a, b, d)), sum);
  EXPECT_EQ(Text(squeeze(bmm(x, y, d), 0)), product);
  EXPECT_EQ(Text(squeeze(bmm_out(none(), x, y, d), 0)), product);
  EXPECT_EQ(Text(squeeze(baddbmm(bias, x, y, d), 0)), sum);
  EXPECT_EQ(Text(squeeze(baddbmm_out(none(), bias, x, y, d), 0)), sum);
  EXPECT_EQ(CodeOf([&] { mm(a, b, DType::kFloat64); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
