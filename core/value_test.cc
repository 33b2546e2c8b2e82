#include "switchyard/core/value.h"

#include <gtest/gtest.h>

#include <vector>

namespace sy {
namespace {

TEST(ValueTest, BorrowsTensorsWithoutCounting) {
  const Tensor t = Tensor::Empty({2}, DType::kFloat32);
  const Value v(t);
  EXPECT_EQ(t.use_count(), 1u);
  EXPECT_TRUE(v.tensor().is_same(t));
}

TEST(ValueTest, AnUndefinedTensorIsNone) {
  EXPECT_TRUE(Value(Tensor()).is_none());
  EXPECT_FALSE(Value().tensor().defined());
}

TEST(ValueTest, NumbersComeBackAsTheyWent) {
  EXPECT_EQ(Value(true).scalar(), Scalar(true));
  EXPECT_EQ(Value(-5).scalar(), Scalar(-5));
  EXPECT_EQ(Value(2.5).scalar(), Scalar(2.5));
  EXPECT_EQ(Value(~uint64_t{0}).scalar(), Scalar(~uint64_t{0}));
  const Scalar c(std::complex<double>(1, 2));
  EXPECT_EQ(Value(c).scalar(), c);
}

TEST(ValueTest, TextNamesWhatItHolds) {
  const std::vector<int64_t> list = {2, 3};
  EXPECT_EQ(Value(list).str(), "[2, 3]");
  EXPECT_EQ(Value(Tensor::Empty({2, 3}, DType::kFloat32)).str(), "float32[2, 3] on cpu");
  EXPECT_EQ(Value(DType::kInt8).str(), "int8");
  EXPECT_EQ(Value("x").str(), "'x'");
  EXPECT_EQ(Value().str(), "None");
}

TEST(ResultTest, OwnsItsTensor) {
  Tensor t = Tensor::Empty({2}, DType::kFloat32);
  {
    Result r;
    r.Set(t);
    EXPECT_EQ(t.use_count(), 2u);
    Result moved = std::move(r);
    EXPECT_EQ(t.use_count(), 2u);
  }
  EXPECT_EQ(t.use_count(), 1u);
}

TEST(ResultTest, GivesListsOut) {
  Result r;
  r.Set(std::vector<Tensor>{Tensor::Empty({1}, DType::kInt8), Tensor()});
  const std::vector<Tensor> list = r.TakeTensors();
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].use_count(), 1u);
  EXPECT_FALSE(list[1].defined());
  EXPECT_TRUE(r.value().is_none());
}

TEST(ResultTest, HoldsComplexNumbersAndText) {
  Result r;
  r.Set(Scalar(std::complex<double>(1, 2)));
  EXPECT_EQ(r.scalar().To<std::complex<double>>(), std::complex<double>(1, 2));
  r.Set(std::string_view("text"));
  EXPECT_EQ(r.value().text(), "text");
  EXPECT_THROW(r.tensor(), Error);
  EXPECT_THROW(r.scalar(), Error);
}

}  // namespace
}  // namespace sy
