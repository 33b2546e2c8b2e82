#include <gtest/gtest.h>

#include <limits>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

TEST(UniqueTest, GivesAscendingValuesWithInverseAndCounts) {
  const auto [values, inverse, counts] = _unique2(tensor({3, 1, 3, 2}), true, true, true);
  EXPECT_EQ(Text(values) + Text(inverse) + Text(counts),
            "tensor([1, 2, 3])tensor([2, 0, 2, 1])tensor([1, 1, 2])");
}

TEST(UniqueTest, WhatIsNotAskedForIsEmpty) {
  const auto [values, inverse, counts] = _unique2(tensor({2, 2}), true, false, false);
  EXPECT_EQ(inverse.numel() + counts.numel(), 0);
}

TEST(UniqueTest, NaNComesLastAndDiffersFromItself) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(Text(std::get<0>(_unique2(tensor({nan, 1., nan})))), "tensor([1., nan, nan])");
}

TEST(UniqueTest, OfSlicesComparesThemElementByElement) {
  const Tensor x = tensor({{2, 1}, {1, 3}, {2, 1}});
  const auto [values, inverse, counts] = unique_dim(x, 0, true, true, true);
  EXPECT_EQ(Text(values) + Text(inverse) + Text(counts),
            "tensor([[1, 3],\n        [2, 1]])tensor([1, 0, 1])tensor([1, 2])");
}

TEST(UniqueTest, ConsecutiveMergesNeighboursAlone) {
  const auto [values, inverse, counts] = unique_consecutive(tensor({1, 1, 2, 1}), true, true);
  EXPECT_EQ(Text(values) + Text(inverse) + Text(counts),
            "tensor([1, 2, 1])tensor([0, 0, 1, 2])tensor([2, 1, 1])");
}

TEST(UniqueTest, RefusesSlicesWithoutElements) {
  EXPECT_EQ(CodeOf([] { unique_dim(empty({2, 0}), 0); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
