#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/generator.h"

namespace sy {
namespace {

// As matrix products of im2col's columns, in float64.
Tensor Expected(const Tensor& x, const Tensor& w, int64_t stride, int64_t padding) {
  const Tensor columns = im2col(to(x, DType::kFloat64), {w.size(2), w.size(3)}, {1, 1},
                                {padding, padding}, {stride, stride});
  const Tensor rows = reshape(to(w, DType::kFloat64), {w.size(0), columns.size(1)});
  const Tensor out = matmul(rows, columns);
  const int64_t h = (x.size(2) + 2 * padding - w.size(2)) / stride + 1;
  return to(view(out, {x.size(0), w.size(0), h, out.size(2) / h}), x.dtype());
}

// Large enough for the library, once cut by samples and once by channels.
TEST(Convolution, ByTheLibraryEqualsProductsOfColumns) {
  manual_seed(0);
  const ThreadsScope two(2);
  for (int64_t samples : {1, 5}) {
    for (int64_t stride : {1, 2}) {
      const Tensor x = randn({samples, 19, 23, 17}), w = randn({70, 19, 3, 3}), b = randn({70});
      const Tensor out = conv2d(x, w, b, {stride, stride}, {1, 1});
      const Tensor expected = add(Expected(x, w, stride, 1), view(b, {1, 70, 1, 1}));
      EXPECT_TRUE(allclose(out, expected, 1e-4, 1e-4));
      const Tensor half =
          conv2d(to(x, DType::kBFloat16), to(w, DType::kBFloat16), {}, {stride, stride}, {1, 1});
      EXPECT_TRUE(allclose(to(half, DType::kFloat32), Expected(x, w, stride, 1), 5e-2, 0.5));
    }
  }
}

TEST(Convolution, OfEachChannelByItself) {
  manual_seed(0);
  const Tensor x = randn({2, 32, 40, 40}), w = randn({32, 1, 3, 3});
  const Tensor out = conv2d(x, w, {}, {1, 1}, {1, 1}, {1, 1}, /*groups=*/32);
  for (int64_t c : {0, 31}) {
    EXPECT_TRUE(allclose(narrow(out, 1, c, 1),
                         Expected(contiguous(narrow(x, 1, c, 1)), narrow(w, 0, c, 1), 1, 1), 1e-4,
                         1e-4));
  }
}

TEST(Convolution, TransposedIsItsAdjoint) {
  manual_seed(0);
  const Tensor x = randn({2, 6, 9, 11}, DType::kFloat64), w = randn({4, 3, 3, 2}, DType::kFloat64);
  const Tensor y = conv2d(x, w, {}, {2, 2}, {1, 0}, {1, 1}, 2);
  const Tensor v = randn({2, 4, 5, 5}, DType::kFloat64);
  const Tensor back = conv_transpose2d(v, w, {}, {2, 2}, {1, 0}, {0, 1}, 2);
  EXPECT_TRUE(SameSizes(back.sizes(), x.sizes()));
  EXPECT_NEAR(item(sum(mul(y, v))).To<double>(), item(sum(mul(x, back))).To<double>(), 1e-9);
}

struct Gradients {
  Tensor input, weight;
};
Gradients GradientsOf(const Tensor& grad, const Tensor& x, const Tensor& w,
                      const std::vector<int64_t>& stride, bool transposed, int64_t groups) {
  const size_t dims = stride.size();
  const std::vector<int64_t> one(dims, 1), none(dims, 0);
  const bool mask[] = {true, true, false};
  const auto [input, weight, bias] = convolution_backward(grad, x, w, std::nullopt, stride, one,
                                                          one, transposed, none, groups, mask);
  return {to(input, DType::kFloat64), to(weight, DType::kFloat64)};
}

// Those of float32, large enough for the library, beside those of float64, which are columns'.
TEST(Convolution, GradientsByTheLibraryEqualThoseOfColumns) {
  manual_seed(0);
  const ThreadsScope two(2);
  struct Case {
    std::vector<int64_t> x, w, stride;
    bool transposed;
    int64_t groups;
  };
  const Case cases[] = {
      {{1, 19, 23, 17}, {70, 19, 3, 3}, {1, 1}, false, 1},
      {{5, 19, 23, 17}, {70, 19, 3, 3}, {2, 2}, false, 1},
      {{1, 64, 24, 17}, {70, 64, 3, 3}, {2, 1}, false, 1},
      {{3, 32, 40, 40}, {32, 1, 3, 3}, {1, 1}, false, 32},
      {{2, 32, 40, 40}, {64, 16, 3, 3}, {1, 1}, false, 2},
      {{2, 40, 300}, {70, 40, 3}, {1}, false, 1},
      {{1, 8, 9, 12, 13}, {40, 8, 3, 3, 3}, {1, 1, 1}, false, 1},
      {{2, 40, 15, 17}, {40, 50, 3, 3}, {2, 2}, true, 1},
  };
  for (const Case& c : cases) {
    const Tensor x = randn(c.x), w = randn(c.w);
    const size_t dims = c.stride.size();
    const std::vector<int64_t> one(dims, 1), none(dims, 0);
    const Tensor y = convolution(x, w, Tensor(), c.stride, one, one, c.transposed, none, c.groups);
    const Tensor wide_x = to(x, DType::kFloat64), wide_w = to(w, DType::kFloat64);
    const Tensor wide_y =
        convolution(wide_x, wide_w, Tensor(), c.stride, one, one, c.transposed, none, c.groups);
    EXPECT_TRUE(allclose(to(y, DType::kFloat64), wide_y, 1e-4, 1e-3));
    const Tensor grad = randn(y.sizes());
    const Gradients found = GradientsOf(grad, x, w, c.stride, c.transposed, c.groups),
                    wide = GradientsOf(to(grad, DType::kFloat64), wide_x, wide_w, c.stride,
                                       c.transposed, c.groups);
    EXPECT_TRUE(allclose(found.input, wide.input, 1e-4, 1e-3)) << Text(tensor(c.w));
    EXPECT_TRUE(allclose(found.weight, wide.weight, 1e-4, 2e-3)) << Text(tensor(c.w));
  }
}

// The library's stores past the caches want 64 bytes: operands that lie otherwise are copied.
TEST(Convolution, MemoryMayLieAtAnyElement) {
  manual_seed(0);
  const std::vector<int64_t> one{1, 1}, none{0, 0};
  const bool mask[] = {true, true, true};
  const auto behind = [](const std::vector<int64_t>& sizes, int64_t elements) {
    int64_t n = 1;
    for (const int64_t size : sizes) n *= size;
    return view(narrow(empty({n + elements}), 0, elements, n), sizes);
  };
  for (const int64_t channels : {1, 8, 16}) {
    const Tensor x = randn({32, channels, 16, 16}), w = randn({2 * channels, channels, 3, 3});
    const std::vector<int64_t> bias{2 * channels};
    const Tensor y = convolution(x, w, Tensor(), one, one, one, false, none, 1);
    const auto [to_x, to_w, to_b] =
        convolution_backward(y, x, w, bias, one, one, one, false, none, 1, mask);
    for (const int64_t at : {0, 1, 4, 8}) {
      const auto there = [&](const Tensor& t) {
        return copy_(behind({t.sizes().begin(), t.sizes().end()}, at), t);
      };
      const Tensor x2 = there(x), w2 = there(w), y2 = there(zeros_like(y));
      convolution_out(y2, x2, w2, Tensor(), one, one, one, false, none, 1);
      EXPECT_TRUE(allclose(y2, y, 1e-4, 1e-4)) << channels;
      const Tensor to_x2 = there(zeros_like(x)), to_w2 = there(zeros_like(w));
      const Tensor to_b2 = zeros_like(to_b);
      convolution_backward_out(to_x2, to_w2, to_b2, there(y), x2, w2, bias, one, one, one, false,
                               none, 1, mask);
      EXPECT_TRUE(allclose(to_x2, to_x, 1e-4, 1e-3)) << channels;
      EXPECT_TRUE(allclose(to_w2, to_w, 1e-4, 1e-2)) << channels;
    }
  }
}

TEST(Convolution, OfIntegersWrapsAround) {
  const Tensor x = full({1, 1, 3}, 100, DType::kInt8), w = full({1, 1, 2}, 3, DType::kInt8);
  EXPECT_EQ(Text(conv1d(x, w)), "tensor([[[88, 88]]], dtype=torch.int8)");
}

TEST(MaxPool, SaysWhereTheLargestLies) {
  const Tensor x = tensor({{{1., 5., 2.}, {7., NAN, 0.}, {3., 4., 9.}}});
  const auto [most, at] = max_pool2d_with_indices(x, {2, 2}, {1, 1});
  EXPECT_EQ(Text(at), "tensor([[[4, 4],\n         [4, 4]]])");
  EXPECT_TRUE(item(all(isnan(most))).To<bool>());
}

TEST(MaxPool, SpreadWindowsSkipPadding) {
  const Tensor x = to(arange(6), DType::kFloat32);
  const auto [most, at] =
      max_pool1d_with_indices(view(neg(x), {1, 1, 6}), {3}, {2}, {1}, {2}, false);
  EXPECT_EQ(Text(most), "tensor([[[-1., -1.]]])");
  EXPECT_EQ(Text(at), "tensor([[[1, 1]]])");
}

TEST(AdaptivePool, DividesUnevenSizes) {
  const Tensor x = view(to(arange(5), DType::kFloat32), {1, 1, 5});
  EXPECT_EQ(Text(adaptive_avg_pool1d(x, {3})), "tensor([[[0.5000, 2.0000, 3.5000]]])");
  const auto [most, at] = adaptive_max_pool1d(x, {3});
  EXPECT_EQ(Text(at), "tensor([[[1, 3, 4]]])");
}

}  // namespace
}  // namespace sy
