#include <gtest/gtest.h>

#include <cmath>

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
