#include "testing/replay/compare.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>

#include "switchyard/core/literal.h"

namespace sy::replay {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

// What would be recorded of a row-major tensor; its bytes are the tensor's own.
RecordedTensor Recorded(const Tensor& t) {
  return {t.dtype(),
          {t.sizes().begin(), t.sizes().end()},
          {t.strides().begin(), t.strides().end()},
          {static_cast<const char*>(t.data()), t.nbytes()}};
}

TEST(Compare, FloatsAgreeWithinAbsoluteAndRelativeTolerance) {
  const Tolerance t = ToleranceOf(DType::kFloat32);
  EXPECT_TRUE(Close(1000.0013, 1000.0, t));  // 1e-5 + 1.3e-6 * 1000 = 1.31e-3
  EXPECT_FALSE(Close(1000.0014, 1000.0, t));
  EXPECT_TRUE(Close(0.00001, 0.0, t));
  EXPECT_FALSE(Close(0.000011, 0.0, t));
}

TEST(Compare, TheToleranceIsRelativeToWhatIsExpected) {
  EXPECT_TRUE(Close(1.0, 2.0, {0.5, 0}));
  EXPECT_FALSE(Close(2.0, 1.0, {0.5, 0}));
}

TEST(Compare, ToleranceOfAComplexDTypeIsThatOfItsParts) {
  EXPECT_EQ(ToleranceOf(DType::kComplex128).rtol, ToleranceOf(DType::kFloat64).rtol);
  EXPECT_EQ(ToleranceOf(DType::kInt32).atol, 0);
}

TEST(Compare, NaNEqualsNaNAndNothingElse) {
  EXPECT_TRUE(Close(kNaN, kNaN, {}));
  EXPECT_FALSE(Close(kNaN, 0, {1, 1}));
  EXPECT_FALSE(Close(0, kNaN, {1, 1}));
  EXPECT_TRUE(Close(0, kNaN, {.nan_is_any = true}));
  EXPECT_FALSE(Close(kNaN, 0, {.nan_is_any = true}));
}

TEST(Compare, InfinitiesEqualTheirOwnSignOnly) {
  EXPECT_TRUE(Close(kInf, kInf, {}));
  EXPECT_FALSE(Close(-kInf, kInf, {1, 1}));
  EXPECT_FALSE(Close(1e300, kInf, {1, 1}));
}

TEST(Compare, ComplexNumbersAgreeByDistance) {
  const std::complex<double> expected(3, 4);  // magnitude 5
  EXPECT_TRUE(Close({3.4, 4}, expected, {0.1, 0}));
  EXPECT_FALSE(Close({3.6, 4}, expected, {0.1, 0}));
  EXPECT_TRUE(Close({kInf, 1.01}, std::complex<double>(kInf, 1), {0.1, 0}));
}

TEST(Compare, ADifferingElementIsNamedWithItsPosition) {
  const Tensor expected = tensor({{1, 2}, {3, 4}}), got = tensor({{1, 2}, {5, 4}});
  EXPECT_EQ(CompareTensor(got, Recorded(expected)),
            "expected 3 at [1, 0], got 5 (1 of 4 elements differ)");
}

TEST(Compare, IntegersAndBoolMustBeEqual) {
  EXPECT_NE(CompareTensor(tensor({100001}), Recorded(tensor({100000}))), "");
  EXPECT_NE(CompareTensor(tensor({true}), Recorded(tensor({false}))), "");
}

TEST(Compare, AStridedTensorIsReadByItsStrides) {
  const Tensor memory = tensor({1, 9, 2, 9, 3});
  const std::vector<int64_t> sizes = {3}, strides = {2};
  Tensor expected = tensor({1, 2, 3});
  RecordedTensor r = Recorded(expected);
  r.strides = {2};
  EXPECT_EQ(CompareTensor(memory.AsStrided(sizes, strides, 0), r), "");
}

TEST(Compare, DTypeSizesAndStridesMustBeAsExpected) {
  const RecordedTensor r = Recorded(tensor({{1, 2}, {3, 4}}));
  EXPECT_NE(CompareMetadata(Tensor::Empty({2, 2}, DType::kInt32), r), "");
  EXPECT_NE(CompareMetadata(Tensor::Empty({4}, DType::kInt64), r), "");
  const std::vector<int64_t> sizes = {2, 2}, strides = {1, 2};
  EXPECT_EQ(CompareMetadata(Tensor::EmptyStrided(sizes, strides, DType::kInt64), r),
            "expected strides [2, 1] for sizes [2, 2], got [1, 2]");
}

TEST(Compare, StridesOfSizeOneAndOfEmptyTensorsDoNotCount) {
  const RecordedTensor one = Recorded(Tensor::Empty({1, 2}, DType::kInt64));
  const std::vector<int64_t> one_sizes = {1, 2}, one_strides = {77, 1};
  EXPECT_EQ(CompareMetadata(Tensor::EmptyStrided(one_sizes, one_strides, DType::kInt64), one), "");
  const RecordedTensor empty = Recorded(Tensor::Empty({0, 2}, DType::kInt64));
  const std::vector<int64_t> sizes = {0, 2}, strides = {1, 5};
  EXPECT_EQ(CompareMetadata(Tensor::EmptyStrided(sizes, strides, DType::kInt64), empty), "");
}

TEST(Compare, NumbersAgreeInKindAndValue) {
  EXPECT_EQ(CompareNumber(Value(2.5), Json(2.5)), "");
  EXPECT_EQ(CompareNumber(Value(true), Json(true)), "");
  EXPECT_NE(CompareNumber(Value(1), Json(true)), "");
  EXPECT_NE(CompareNumber(Value(1), Json(1.0)), "");
  EXPECT_EQ(CompareNumber(Value(kNaN), Json{{"f", "nan"}}), "");
}

}  // namespace
}  // namespace sy::replay
