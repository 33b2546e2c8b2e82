// Numbers: PyTorch 2.11's.
#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor Directions(int64_t dimension) {
  return _sobol_engine_initialize_state_(zeros({dimension, 30}, DType::kInt64), dimension);
}

TEST(Sobol, DrawsItsFirstPoints) {
  const Tensor directions = Directions(3), start = zeros({3}, DType::kInt64);
  const auto [points, last] = _sobol_engine_draw(start, 4, directions, 3, 0, DType::kFloat32);
  EXPECT_TRUE(
      equal(points,
            tensor({{0.5, 0.5, 0.5}, {0.75, 0.25, 0.25}, {0.25, 0.75, 0.75}, {0.375, 0.375, 0.625}},
                   DType::kFloat32)));
  EXPECT_TRUE(equal(last, tensor({402653184, 402653184, 671088640}, DType::kInt64)));
  EXPECT_TRUE(equal(start, zeros({3}, DType::kInt64)));
  // The same by steps.
  const Tensor state = clone(start);
  _sobol_engine_ff_(state, 1, directions, 3, 0);
  _sobol_engine_ff_(state, 3, directions, 3, 1);
  EXPECT_TRUE(equal(state, last));
}

TEST(Sobol, FillsEveryDimensionEvenly) {
  const int64_t dimensions = 1111, n = 256;
  const auto [points, last] =
      _sobol_engine_draw(zeros({dimensions}, DType::kInt64), n - 1, Directions(dimensions),
                         dimensions, 0, DType::kFloat64);
  const Tensor cells = std::get<0>(sort(to(mul(points, n), DType::kInt64), 0));
  const Tensor each = unsqueeze(arange(1, n, DType::kInt64), 1);  // all but the origin's
  EXPECT_TRUE(item(all(eq(cells, each))).To<bool>());
  EXPECT_EQ(CodeOf([] { Directions(1112); }), ErrorCode::kNotImplemented);
}

TEST(Sobol, ScramblesByMatrices) {
  const Tensor directions = Directions(2), same = zeros({2, 30, 30}, DType::kInt64);
  const Tensor scrambled = clone(directions);
  _sobol_engine_scramble_(scrambled, same, 2);  // diagonals are ones
  EXPECT_TRUE(equal(scrambled, directions));
  fill_(select(select(same, 1, 1), 1, 0), 1);  // the second bit takes in the first one
  _sobol_engine_scramble_(scrambled, same, 2);
  const Tensor first = bitwise_and(bitwise_right_shift(directions, 29), 1);
  EXPECT_TRUE(equal(scrambled, bitwise_xor(directions, bitwise_left_shift(first, 28))));
}

}  // namespace
}  // namespace sy
