#include "backends/cuda/testing.h"
#include "switchyard/core/error.h"

namespace sy::cuda {
namespace {

// 0, 1, 2, … as dtype.
Tensor Count(IntSpan sizes, DType dtype) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  const Tensor flat = call("to.dtype", call("arange", n).take(), dtype).take();
  return call("reshape", flat, sizes).take();
}
Tensor Count(std::initializer_list<int64_t> sizes, DType dtype) {
  return Count(IntSpan(sizes.begin(), sizes.size()), dtype);
}
Tensor Transposed(const Tensor& t) { return call("transpose.int", t, 0, 1).take(); }

TEST(PointwiseTest, AddsContiguousTensors) {
  for (DType d : {DType::kFloat32, DType::kInt64, DType::kBFloat16, DType::kBool, DType::kUInt8,
                  DType::kComplex64, DType::kFloat16}) {
    const Tensor a = Count({1000}, d);
    ExpectAsOnHost("add", a, a);
  }
}

TEST(PointwiseTest, TailsShorterThanAPack) {
  for (int64_t n : {1, 2, 3, 5, 31, 1025}) {
    const Tensor a = Count({n}, DType::kFloat32);
    ExpectAsOnHost("mul", a, a);
  }
}

TEST(PointwiseTest, BroadcastsRowsAndColumns) {
  const Tensor a = Count({6, 8}, DType::kFloat32);
  ExpectAsOnHost("add", a, Count({8}, DType::kFloat32));
  ExpectAsOnHost("add", a, Count({6, 1}, DType::kFloat32));
  ExpectAsOnHost("sub", Count({6, 1}, DType::kFloat32), Count({7}, DType::kFloat32));
}

TEST(PointwiseTest, StridedOperands) {
  const Tensor a = Count({6, 8}, DType::kFloat32);
  ExpectAsOnHost("add", Transposed(a), Count({8, 6}, DType::kFloat32));
  ExpectAsOnHost("add", Transposed(a), Transposed(a));
}

TEST(PointwiseTest, OperandsOfSeveralDTypesMeet) {
  ExpectAsOnHost("add", Count({100}, DType::kInt32), Count({100}, DType::kFloat16));
  ExpectAsOnHost("lt", Count({100}, DType::kInt8), Count({100}, DType::kFloat64));
  ExpectAsOnHost("add", Count({100}, DType::kFloat32), Count({100}, DType::kComplex128));
}

TEST(PointwiseTest, NumbersComeWithTheLaunch) {
  const Tensor a = Count({100}, DType::kFloat16);
  ExpectAsOnHost("add", a, Scalar(2.5));
  ExpectAsOnHost("mul", a, Scalar(70000.0));
  ExpectAsOnHost("add", a, a, kw("alpha", 0.1));
  ExpectAsOnHost("clamp", Count({100}, DType::kInt32), Scalar(3), Scalar(50));
}

TEST(PointwiseTest, TranscendentalFunctionsAreClose) {
  const Tensor a = call("div", Count({200}, DType::kFloat32), Scalar(37.0)).take();
  for (const char* op : {"exp", "sin", "erf", "gelu", "tanh", "log1p", "sqrt", "sigmoid"})
    ExpectAsOnHostWithin(1e-6, op, a);
}

TEST(PointwiseTest, ComplexFunctionsAreClose) {
  const Tensor re =
      call("sub", call("div", Count({200}, DType::kFloat64), Scalar(41.0)).take(), Scalar(2.3))
          .take();
  const Tensor im =
      call("sub", call("div", Count({200}, DType::kFloat64), Scalar(29.0)).take(), Scalar(3.1))
          .take();
  const Tensor z = call("complex", re, im).take();
  for (const char* op : {"exp", "log", "log1p", "sqrt", "tanh", "cos", "asin", "acosh", "atan"}) {
    SCOPED_TRACE(op);
    ExpectAsOnHostWithin(1e-12, op, z);
  }
  ExpectAsOnHostWithin(1e-12, "pow", z,
                       call("flip", z, IntSpan(std::initializer_list<int64_t>{0})).take());
}

TEST(PointwiseTest, ChoosesByMask) {
  const Tensor a = Count({50}, DType::kInt16), mask = call("gt", a, Scalar(20)).take();
  ExpectAsOnHost("where", mask, a, call("neg", a).take());
  ExpectAsOnHost("where", mask, Count({50}, DType::kBool), mask);
  ExpectAsOnHost("where", mask, a, Count({50}, DType::kFloat64));
  ExpectAsOnHost("masked_fill", a, mask, Scalar(-7));
}

TEST(CopyTest, Converts) {
  const Tensor t = Count({100}, DType::kInt32);
  for (DType d : {DType::kFloat16, DType::kBool, DType::kComplex128}) {
    ExpectAsOnHost("to.dtype", t, d);
    ExpectAsOnHost("to.dtype", Transposed(Count({5, 7}, DType::kFloat64)), d);
  }
}

TEST(CopyTest, FillsWhatHasGaps) {
  const Tensor t = ToCuda(Count({6, 8}, DType::kInt32));
  call("fill_", call("slice", t, 1, 2, 7, 2).take(), Scalar(-1));
  const Tensor host = Count({6, 8}, DType::kInt32);
  call("fill_", call("slice", host, 1, 2, 7, 2).take(), Scalar(-1));
  ExpectClose(t, host, 0);
}

TEST(CopyTest, PermutedCopies) {
  const Tensor t = Count({5, 33, 34}, DType::kFloat32);
  const Tensor turned = call("permute", t, IntSpan(std::initializer_list<int64_t>{2, 0, 1})).take();
  ExpectAsOnHost("contiguous", turned);
}

TEST(CopyTest, TurnsTilesOfAllWidths) {
  for (DType d : {DType::kUInt8, DType::kBFloat16, DType::kFloat32, DType::kInt64,
                  DType::kComplex128, DType::kBool}) {
    SCOPED_TRACE(Name(d));
    for (const auto& [rows, columns] : {std::pair{16, 200}, {65, 64}, {130, 33}})
      ExpectAsOnHost("contiguous", Transposed(Count({rows, columns}, d)));
  }
}

TEST(CopyTest, TurnsAndConverts) {
  const Tensor t = Transposed(Count({70, 40}, DType::kInt32));
  for (DType d : {DType::kFloat16, DType::kFloat64, DType::kBool, DType::kComplex128}) {
    const Tensor expected = call("contiguous", call("to.dtype", t, d).take()).take();
    const Tensor to = Tensor::Empty({40, 70}, d, Cuda());
    call("copy_", to, ToCuda(t));
    ExpectClose(to, expected, 0);
  }
}

TEST(CopyTest, TurnsWithinBatches) {
  const auto permuted = [](const Tensor& t, std::vector<int64_t> dims) {
    return call("permute", t, dims).take();
  };
  const Tensor images = Count({2, 20, 5, 33}, DType::kFloat32);
  ExpectAsOnHost("contiguous", permuted(images, {0, 2, 3, 1}));
  ExpectAsOnHost("contiguous", permuted(images, {3, 0, 1, 2}));
  ExpectAsOnHost("contiguous", permuted(images, {3, 2, 1, 0}));
}

TEST(DivisionTest, ANumberZeroIsRefusedAtOnce) {
  const Tensor a = ToCuda(Count({4}, DType::kInt32));
  EXPECT_THROW(call("floor_divide", a, Scalar(0)), Error);
}

TEST(DivisionTest, AZeroInATensorIsReportedWhereTheStreamIsWaitedFor) {
  const Tensor a = ToCuda(Count({4}, DType::kInt32));
  const Tensor quotient = call("floor_divide", a, a).take();
  try {
    ToHost(quotient);
    FAIL() << "nothing was reported";
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kInvalidValue);
    EXPECT_EQ(e.message(), "floor_divide(): other holds a 0, by which integers cannot be divided");
  }
  EXPECT_NO_THROW(ToHost(quotient));
}

}  // namespace
}  // namespace sy::cuda
