// Which overload a typed call means where numbers and bools stand in one place.

#include <gtest/gtest.h>

#include "switchyard/backends/cpu/kernels/testing.h"

namespace sy {
namespace {

Tensor Matrix() { return tensor({{1., 5.}, {3., 9.}}); }

TEST(OverloadsTest, ANumberIsADimensionAndABoolIsNot) {
  EXPECT_EQ(Text(std(Matrix(), 1)), Text(std(Matrix(), {1})));
  EXPECT_EQ(Text(std(Matrix(), 0)), Text(std(Matrix(), {0})));
  EXPECT_EQ(std(Matrix(), true).dim(), 0);
  EXPECT_NE(Text(std(Matrix(), true)), Text(std(Matrix(), false)));
  EXPECT_EQ(std::get<1>(var_mean(Matrix(), 0)).dim(), 1);
}

TEST(OverloadsTest, ANumberIsACorrectionAndABoolIsUnbiased) {
  EXPECT_EQ(Text(var(Matrix(), 1, 0)), Text(var(Matrix(), 1, false)));
  EXPECT_EQ(Text(var(Matrix(), 1, 1)), Text(var(Matrix(), 1, true)));
  EXPECT_EQ(Text(var(tensor({1., 2., 6.}), 0, 2)), "tensor(14.)");
  EXPECT_EQ(Text(var_out(empty({0}), Matrix(), 1, 1)), Text(var(Matrix(), 1, true)));
}

TEST(OverloadsTest, SortingByADimensionIsNotSortingStably) {
  EXPECT_EQ(Text(argsort(Matrix(), 0)), "tensor([[0, 0],\n        [1, 1]])");
  EXPECT_EQ(Text(argsort(Matrix(), 1, true)), "tensor([[1, 0],\n        [1, 0]])");
  EXPECT_EQ(Text(argsort(Matrix(), true, 0, true)), "tensor([[1, 1],\n        [0, 0]])");
  EXPECT_EQ(Text(std::get<1>(sort(Matrix(), true, 0, true))), Text(argsort(Matrix(), 0, true)));
  EXPECT_EQ(Text(std::get<1>(sort(Matrix(), std::nullopt))), Text(argsort(Matrix())));
}

TEST(OverloadsTest, TwoTolerancesAreNotATolerantHermitianMatrix) {
  const Tensor m = tensor({{1., 0.}, {0., 0.2}});
  EXPECT_EQ(item(linalg_matrix_rank(m, 0.1, 0.5)), Scalar(1));  // 0.5 of the largest
  EXPECT_EQ(item(linalg_matrix_rank(m, 0.1, true)), Scalar(2));
}

// Whether a call of `f` with these arguments compiles.
template <class F, class... A>
constexpr bool kCompiles = std::is_invocable_v<F, A...>;

TEST(OverloadsTest, WhatMerelyConvertsToABoolIsRefused) {
  const auto stable = []<class B>(B b) -> decltype(sy::argsort(Tensor(), b, 0, false)) {
    return {};
  };
  EXPECT_TRUE((kCompiles<decltype(stable), bool>));
  EXPECT_FALSE((kCompiles<decltype(stable), const char*>));
  const auto sum_along = []<class D>(D d) -> decltype(sy::sum(Tensor(), d)) { return {}; };
  EXPECT_TRUE((kCompiles<decltype(sum_along), int>));
  EXPECT_FALSE((kCompiles<decltype(sum_along), bool>));
  const auto pinned = []<class P>(P p) -> decltype(sy::zeros({1}, {}, {}, {}, p)) { return {}; };
  EXPECT_TRUE((kCompiles<decltype(pinned), bool>));
  EXPECT_FALSE((kCompiles<decltype(pinned), const char*>));
}

TEST(OverloadsTest, BracesOfZerosArePaddingAndNoText) {
  const Tensor x = ones({1, 1, 3, 3}), w = ones({1, 1, 3, 3});
  EXPECT_EQ(Text(conv2d(x, w, {}, {1, 1}, {0, 0})), "tensor([[[[9.]]]])");
  EXPECT_EQ(Text(conv2d(x, w, {}, {1}, {0})), "tensor([[[[9.]]]])");
  EXPECT_EQ(conv2d(x, w, {}, {1, 1}, "same").size(-1), 3);
  EXPECT_EQ(conv2d(x, w, {}, {1, 1}, std::string("valid")).size(-1), 1);
}

TEST(OverloadsTest, NulloptIsNoDimensionsAndADtypeMayBeOptional) {
  const Tensor x = ones({2, 3}, DType::kInt32);
  const Optional<DType> wide = DType::kFloat64;
  EXPECT_EQ(Text(sum(x, std::nullopt)), "tensor(6)");
  EXPECT_EQ(mean(x, std::nullopt, false, DType::kFloat32).dtype(), DType::kFloat32);
  EXPECT_EQ(sum(x, wide).dtype(), DType::kFloat64);
  EXPECT_EQ(sum(x, DType::kFloat32).dtype(), DType::kFloat32);
  EXPECT_EQ(mean(x, std::optional(DType::kFloat64)).dtype(), DType::kFloat64);
}

}  // namespace
}  // namespace sy
