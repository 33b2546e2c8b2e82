// Gradients that ATen gives only into tensors that are there, or that no recorded case is large
// enough for.

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

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

TEST(GradientsOut, OfPoolsWithoutIndicesAreThoseWithThem) {
  manual_seed(0);
  const Tensor x = randn({2, 3, 5, 6}), grad = randn({2, 3, 2, 3}), out = zeros({0});
  const auto indices = std::get<1>(max_pool2d_with_indices(x, {2, 2}));
  const Tensor expected =
      max_pool2d_with_indices_backward(grad, x, {2, 2}, {2, 2}, {0, 0}, {1, 1}, false, indices);
  EXPECT_TRUE(SameBytes(max_pool2d_backward(grad, x, {2, 2}), expected)) << "max_pool2d_backward";
  max_pool2d_backward_out(out, grad, x, {2, 2});
  EXPECT_TRUE(SameBytes(out, expected)) << "max_pool2d_backward.out";
}

TEST(GradientsOut, OfProductsAreProducts) {
  constexpr std::array<bool, 2> kBoth = {true, true};
  manual_seed(0);
  const DType d = DType::kFloat64;
  const auto along = [](const Tensor& a, const Tensor& b) {
    return item(sum(mul(a, b))).To<double>();
  };
  const std::vector<std::pair<Tensor, Tensor>> pairs = {
      {randn({3, 4}, d), randn({4, 5}, d)},
      {randn({4}, d), randn({4}, d)},
      {randn({4}, d), randn({2, 4, 5}, d)},
      {randn({2, 3, 4}, d), randn({4}, d)},
      {randn({2, 1, 3, 4}, d), randn({3, 4, 2}, d)}};
  for (const auto& [a, b] : pairs) {
    const Tensor y = matmul(a, b), grad = randn(y.sizes(), d);
    const auto [of_a, of_b] = matmul_backward(grad, a, b, kBoth);
    EXPECT_TRUE(SameSizes(of_a.sizes(), a.sizes()) && SameSizes(of_b.sizes(), b.sizes()));
    EXPECT_NEAR(along(of_a, a), along(y, grad), 1e-9) << "matmul_backward";
    EXPECT_NEAR(along(of_b, b), along(y, grad), 1e-9);
    const Tensor a_out = zeros({0}, d), b_out = zeros({0}, d);
    matmul_backward_out(a_out, b_out, grad, a, b, kBoth);
    EXPECT_TRUE(SameBytes(a_out, of_a) && SameBytes(b_out, of_b)) << "matmul_backward.out";
  }
}

TEST(GradientsOut, OfLayersAreThoseOfProducts) {
  manual_seed(0);
  const Tensor x = randn({2, 3, 4}), w = randn({5, 4}), grad = randn({2, 3, 5});
  const auto [of_x, of_w, of_bias] = linear_backward(x, grad, w, kAll);
  EXPECT_TRUE(allclose(of_x, matmul(grad, w), 1e-5, 1e-5)) << "linear_backward";
  EXPECT_TRUE(
      allclose(of_w, mm(transpose(reshape(grad, {6, 5}), 0, 1), reshape(x, {6, 4})), 1e-5, 1e-5));
  EXPECT_TRUE(allclose(of_bias, sum(grad, {0, 1}), 1e-5, 1e-5));
  const Tensor x_out = zeros({0}), w_out = zeros({0}), bias_out = zeros({0});
  linear_backward_out(x_out, w_out, bias_out, x, grad, w, kAll);
  EXPECT_TRUE(SameBytes(x_out, of_x) && SameBytes(w_out, of_w) && SameBytes(bias_out, of_bias))
      << "linear_backward.out";
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
  const Tensor a = zeros({0}), b = zeros({0}), c = zeros({0});
  EXPECT_EQ(CodeOf([&] {
              convolution_backward_out(a, b, c, grad, x, w, std::nullopt, {1}, {0}, {1}, false, {0},
                                       1, std::array<bool, 3>{false, true, false});
            }),
            ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
