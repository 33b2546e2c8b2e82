// Gradients that ATen gives only into tensors that are there, or that no recorded case is large
// enough for.

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <tuple>

#include "switchyard/backends/cpu/kernels/testing.h"

namespace sy {
namespace {

constexpr std::array<bool, 3> kAll = {true, true, true};

TEST(GradientsOut, OfAdaptivePoolsAreThoseOfTheFunctionalName) {
  manual_seed(0);
  const Tensor grad = randn({2, 3, 2, 3, 2}), x = randn({2, 3, 4, 5, 6}), out = zeros({0});
  adaptive_avg_pool3d_backward_out(out, grad, x);
  EXPECT_TRUE(SameBytes(out, _adaptive_avg_pool3d_backward(grad, x)))
      << "adaptive_avg_pool3d_backward.grad_input";
}

TEST(GradientsOut, OfConvolutionsAreThoseOfTheFunctionalName) {
  manual_seed(0);
  const Tensor grad = randn({2, 4, 3, 3}), x = randn({2, 3, 5, 5}), w = randn({4, 3, 3, 3});
  const Tensor of_x = zeros({0}), of_w = zeros({0}), of_bias = zeros({0});
  _slow_conv2d_backward_out(of_x, of_w, of_bias, grad, x, w, {3, 3}, {1, 1}, {0, 0});
  const auto [a, b, c] = _slow_conv2d_backward(grad, x, w, {3, 3}, {1, 1}, {0, 0}, kAll);
  EXPECT_TRUE(SameBytes(of_x, a) && SameBytes(of_w, b) && SameBytes(of_bias, c))
      << "_slow_conv2d_backward.grad_input";
}

// A sum of all products of a convolution's result with `grad` is linear in each of its arguments:
// its derivatives' products with them are that sum.
TEST(ConvolutionBackward, IsTheDerivativeOfLargeConvolutions) {
  manual_seed(0);
  const DType d = DType::kFloat64;
  for (int64_t groups : {1, 4}) {
    for (bool transposed : {false, true}) {
      const Tensor x = randn({3, 8, 20, 18}, d),
                   w = randn({transposed ? 8 : 16, (transposed ? 16 : 8) / groups, 3, 3}, d);
      const auto run = [&](DType dtype) {
        return convolution(to(x, dtype), to(w, dtype), {}, {2}, {1}, {1}, transposed, {0}, groups);
      };
      const Tensor y = run(d), grad = randn(y.sizes(), d);
      const double sum_of_all = item(sum(mul(y, grad))).To<double>();
      for (DType dtype : {DType::kFloat32, DType::kFloat64}) {
        const auto [of_x, of_w, of_bias] =
            convolution_backward(to(grad, dtype), to(x, dtype), to(w, dtype), std::nullopt, {2},
                                 {1}, {1}, transposed, {0}, groups, kAll);
        const auto along = [&](const Tensor& t, const Tensor& direction) {
          return item(sum(mul(to(t, d), direction))).To<double>();
        };
        const double tolerance = dtype == d ? 1e-9 : 1e-2;
        EXPECT_NEAR(along(of_x, x), sum_of_all, tolerance);
        EXPECT_NEAR(along(of_w, w), sum_of_all, tolerance);
        EXPECT_TRUE(allclose(to(of_bias, d), sum(grad, {0, 2, 3}), 1e-4, 1e-4));
      }
    }
  }
}

TEST(ConvolutionBackward, DoesNotDependOnThreads) {
  manual_seed(0);
  const Tensor x = randn({3, 8, 20, 18}), w = randn({16, 2, 3, 3}), grad = randn({3, 16, 20, 18});
  const auto run = [&] {
    return convolution_backward(grad, x, w, std::nullopt, {1}, {1}, {1}, false, {0}, 4, kAll);
  };
  const auto before = run();
  const ThreadsScope one(1);
  const auto after = run();
  EXPECT_TRUE(SameBytes(std::get<1>(before), std::get<1>(after)));
  EXPECT_TRUE(SameBytes(std::get<2>(before), std::get<2>(after)));
}

TEST(ConvolutionBackward, GivesWhatIsAskedFor) {
  const Tensor x = ones({1, 2, 4}), w = ones({3, 2, 2}), grad = ones({1, 3, 3});
  const auto [of_x, of_w, of_bias] =
      convolution_backward(grad, x, w, std::nullopt, {1}, {0}, {1}, false, {0}, 1,
                           std::array<bool, 3>{false, true, false});
  EXPECT_FALSE(of_x.defined());
  EXPECT_TRUE(of_w.defined());
  EXPECT_FALSE(of_bias.defined());
}

}  // namespace
}  // namespace sy
