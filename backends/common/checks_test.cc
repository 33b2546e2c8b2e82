#include "switchyard/backends/common/checks.h"

#include <gtest/gtest.h>

#include <vector>

#include "switchyard/backends/common/histogram.h"
#include "switchyard/core/error.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

KernelDef Named(std::string_view op) {
  KernelDef def;
  def.op = op;
  return def;
}
const KernelDef def = Named("t::op");
const Call call{&def, MakeKey(kHostRow, DType::kFloat32)};

TEST(ChecksTest, WhereAnIndexIsIsSaidWhereItIsKnown) {
  constexpr int64_t kPlace[] = {1, 2};
  EXPECT_EQ(ErrorOf([&] { FailPosition("t::op", 7, 0, 5, kPlace); }),
            "index out of range: t::op(): index is 7 at [1, 2], out of range for dim 0, which has "
            "size 5");
  EXPECT_EQ(ErrorOf([] { FailPosition("t::op", 7, 0, 5); }),
            "index out of range: t::op(): index is 7, out of range for dim 0, which has size 5");
}

TEST(ChecksTest, AValueMustFitTheElementsItIsStoredAmong) {
  const Tensor value = Tensor::Empty(IntSpan(), DType::kFloat32);
  *value.data<float>() = 300;
  RequireFits(call, value, DType::kInt16);
  EXPECT_NE(ErrorOf([&] { RequireFits(call, value, DType::kUInt8); }).find("does not fit self's"),
            std::string::npos);
}

TEST(ChecksTest, BlockPivotsAreRowsOrPairsWithinAMatrix) {
  const auto check = [](std::vector<int> pivots) {
    return ErrorOf([&] { RequireBlockPivots(call, pivots, 3); });
  };
  EXPECT_EQ(check({1, 2, 3, -2, -2, 3}), "nothing was thrown");
  EXPECT_NE(check({1, 2, 4}).find("got 4 for matrix 0"), std::string::npos);
  EXPECT_NE(check({1, -2, 3}).find("got -2 for matrix 0"), std::string::npos);
  // A pair does not reach into the next matrix.
  EXPECT_NE(check({1, 2, -3, -3, 2, 3}).find("got -3 for matrix 0"), std::string::npos);
}

TEST(ChecksTest, BincountIsAsLongAsTheGreatestNumberAsks) {
  EXPECT_EQ(BincountLength(call, 0, 4, 2), 5);
  EXPECT_EQ(BincountLength(call, 0, 4, 9), 9);
  EXPECT_THROW(BincountLength(call, -1, 4, 0), Error);
  EXPECT_THROW(BincountLength(call, 0, INT64_MAX, 0), Error);
}

TEST(ChecksTest, ARangeOfOneNumberIsWidened) {
  const Ends ends = EndsOfBins(call, Ends{3, 3}, 0.5);
  EXPECT_EQ(ends.low, 2.5);
  EXPECT_EQ(ends.high, 3.5);
  EXPECT_EQ(EndsOfBins(call, std::nullopt, 1).low, -1);
  EXPECT_NE(ErrorOf([] { EndsOfBins(call, Ends{4, 3}, 1); }).find("ascending"), std::string::npos);
  EXPECT_EQ(EdgesOfBins(DType::kFloat32, {0, 1}, 4), (std::vector<double>{0, 0.25, 0.5, 0.75, 1}));
}

}  // namespace
}  // namespace sy
