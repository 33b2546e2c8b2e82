#include "switchyard/core/literal.h"

#include <gtest/gtest.h>

#include <array>

namespace sy {
namespace {

TEST(LiteralTest, BracesNestToDimensions) {
  const Tensor t = tensor({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(Describe(t), "int64[2, 3] on cpu");
  EXPECT_EQ(t.data<int64_t>()[5], 6);
  EXPECT_EQ(Describe(tensor(2.5)), "float32[] on cpu");
  EXPECT_EQ(Describe(tensor({{1}})), "int64[1, 1] on cpu");
  EXPECT_EQ(tensor({{{1.}, {2.}}}).dim(), 3);
}

TEST(LiteralTest, TheDTypeFollowsFromTheNumbers) {
  EXPECT_EQ(tensor({true, false}).dtype(), DType::kBool);
  EXPECT_EQ(tensor({1, true}).dtype(), DType::kInt64);
  EXPECT_EQ(tensor({1, 2.}).dtype(), DType::kFloat32);
  EXPECT_EQ(tensor({std::complex<double>(0, 1), 2.}).dtype(), DType::kComplex64);
  EXPECT_EQ(tensor({1, 2}, DType::kFloat16).dtype(), DType::kFloat16);
}

TEST(LiteralTest, RaggedListsAreErrors) {
  EXPECT_THROW(tensor({{1, 2}, {3}}), Error);
  EXPECT_THROW(tensor({{1, 2}, 3}), Error);
  EXPECT_THROW(tensor({1, {2, 3}}), Error);
}

TEST(LiteralTest, ListsNestAsDeepAsATensorHasDimensions) {
  const auto nested = [](int levels) {
    TensorLiteral l(7);
    for (int i = 0; i < levels; ++i) l = TensorLiteral(std::vector<TensorLiteral>{l});
    return l;
  };
  EXPECT_EQ(tensor(nested(kMaxRank)).dim(), kMaxRank);
  EXPECT_THROW(tensor(nested(kMaxRank + 1)), Error);
  EXPECT_THROW(tensor(nested(2000)), Error);
}

TEST(LiteralTest, ANumberThatDoesNotFitIsAnError) {
  EXPECT_THROW(tensor({300}, DType::kUInt8), Error);
}

TEST(LiteralTest, AVectorsElementsKeepTheirType) {
  const Tensor t = tensor(std::vector<double>{1.5, 2});
  EXPECT_EQ(Describe(t), "float64[2] on cpu");
  EXPECT_EQ(t.at<double>(0), 1.5);
  const std::array<Half, 3> halves = {1, 2, 0.5};
  EXPECT_EQ(Describe(tensor(halves)), "float16[3] on cpu");
  EXPECT_EQ(Describe(tensor(std::vector<bool>{true, false})), "bool[2] on cpu");
  EXPECT_EQ(Describe(tensor(std::vector<float>())), "float32[0] on cpu");
}

TEST(LiteralTest, AVectorIsConvertedToTheDTypeThatIsAskedFor) {
  const std::vector<int64_t> v = {1, 300};
  EXPECT_EQ(tensor(v, DType::kFloat32).at<float>(1), 300);
  EXPECT_EQ(tensor(v, {.dtype = DType::kComplex64}).at<std::complex<float>>(1), 300.f);
  EXPECT_THROW(tensor(v, DType::kUInt8), Error);
}

TEST(LiteralTest, NoOptionsAreTheSameAsNoArgument) {
  EXPECT_EQ(tensor({1, 2}, {}).dtype(), DType::kInt64);
  EXPECT_EQ(tensor({1, 2}, {.dtype = DType::kInt8}).dtype(), DType::kInt8);
  EXPECT_EQ(tensor({1, 2}, {.device = "cpu"}).device(), kCpu);
  EXPECT_THROW(tensor({1, 2}, {.layout = Layout::kSparse}), Error);
}

}  // namespace
}  // namespace sy
