#include <gtest/gtest.h>

#include <cmath>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

TEST(Softmax, DoesNotDependOnTheDimensionItGoesAlong) {
  manual_seed(0);
  for (DType d : {DType::kFloat32, DType::kFloat64, DType::kBFloat16}) {
    const Tensor x = to(mul(randn({3, 70, 37}), 4), d);
    const Tensor across = softmax(x, 1),
                 along = transpose(softmax(contiguous(transpose(x, 1, 2)), 2), 1, 2);
    const double tolerance = d == DType::kBFloat16 ? 1e-2 : 1e-6;
    EXPECT_TRUE(allclose(across, along, tolerance, 1e-7));
    if (d == DType::kBFloat16) continue;  // rows round the sum, as ATen's do
    EXPECT_TRUE(allclose(log_softmax(x, 1), transpose(log_softmax(transpose(x, 1, 2), 2), 1, 2),
                         1e-5, 1e-5));
  }
}

TEST(Softmax, OfLargeNumbersDoesNotOverflow) {
  const Tensor x = tensor({1000., 1000., -1000.});
  EXPECT_EQ(Text(softmax(x, 0)), "tensor([0.5000, 0.5000, 0.0000])");
}

TEST(Softmax, OfAMaskedRowIsNaNAndTheSafeOneZero) {
  const Tensor x = full({1, 20}, -INFINITY);
  EXPECT_TRUE(item(all(isnan(softmax(x, -1)))).To<bool>());
  EXPECT_TRUE(item(all(eq(_safe_softmax(x, -1), 0))).To<bool>());
}

TEST(LayerNorm, OfNumbersFarFromZeroKeepsTheirDifferences) {
  const Tensor x = add(arange(64, DType::kFloat32), 1e5);
  const Tensor expected = to(layer_norm(to(x, DType::kFloat64), {64}), DType::kFloat32);
  EXPECT_TRUE(allclose(layer_norm(x, {64}), expected, 1e-4, 1e-5));
}

TEST(LayerNorm, RefusesAWeightOfOtherSizesAndWritesNothing) {
  EXPECT_EQ(CodeOf([] { layer_norm(ones({2, 3}), {3}, ones({2})); }), ErrorCode::kInvalidArgument);
}

TEST(BatchNorm, OfChannelsLastEqualsThatOfContiguous) {
  manual_seed(0);
  const Tensor x = randn({4, 5, 6, 7}), last = contiguous(x, MemoryFormat::kChannelsLast);
  const auto [a, mean_a, factor_a] = native_batch_norm(x, {}, {}, {}, {}, true, 0.1, 1e-5);
  const auto [b, mean_b, factor_b] = native_batch_norm(last, {}, {}, {}, {}, true, 0.1, 1e-5);
  EXPECT_TRUE(b.is_contiguous(MemoryFormat::kChannelsLast));
  EXPECT_TRUE(allclose(a, b, 1e-5, 1e-6));
  EXPECT_TRUE(allclose(mean_a, mean_b, 1e-5, 1e-6));
  EXPECT_TRUE(allclose(factor_a, factor_b, 1e-5, 1e-6));
}

TEST(BatchNorm, MovesRunningStatisticsInTraining) {
  const Tensor mean = zeros({2}), var = ones({2});
  batch_norm(tensor({{1., 2.}, {3., 6.}}), {}, {}, mean, var, true, 0.5, 1e-5, false);
  EXPECT_EQ(Text(mean), "tensor([1., 2.])");
  EXPECT_EQ(Text(var), "tensor([1.5000, 4.5000])");
}

TEST(InstanceNorm, MovesRunningStatisticsByTheMeanOfThoseOfTheSamples) {
  const Tensor mean = tensor({0., 2.}), var = ones({2});
  const Tensor x = reshape(tensor({1., 2., 3., 5., 3., 6., 0., 4.}), {2, 2, 2});
  instance_norm(x, {}, {}, mean, var, true, 0.5, 1e-5, false);
  EXPECT_EQ(Text(mean), "tensor([1.5000, 2.5000])");
  EXPECT_EQ(Text(var), "tensor([1.7500, 3.0000])");
}

}  // namespace
}  // namespace sy
