// Numbers at the ends of int64_t: an answer or an error, and no arithmetic that wraps around.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>

#include "backends/cpu/kernels/testing.h"

namespace sy {
namespace {

constexpr int64_t kMost = INT64_MAX, kHuge = int64_t{1} << 62;

std::string MessageOf(auto f) {
  try {
    f();
    return "accepted";
  } catch (const Error& e) {
    return e.message();
  }
}

TEST(LimitsTest, AViewOfMoreElementsThanThereAreNumbersForIsRefused) {
  const Tensor x = ones({1});
  EXPECT_EQ(MessageOf([&] {
              expand(x, {kHuge, kHuge});
            }),
            "expand(): sizes [4611686018427387904, 4611686018427387904] multiply to more than "
            "2^63 - 1");
  EXPECT_EQ(CodeOf([&] { as_strided(x, {kHuge, kHuge}, {0, 0}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { view(zeros({0}), {0, kHuge, kHuge}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(expand(x, {kHuge}).numel(), kHuge);
}

TEST(LimitsTest, AViewCannotReachBeyondItsStorageByWrappingAround) {
  EXPECT_EQ(CodeOf([] { as_strided(ones({1}), {2}, {kMost}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { empty_strided({2}, {kMost}); }), ErrorCode::kInvalidArgument);
}

TEST(LimitsTest, OperandsThatBroadcastToTooManyElementsAreRefused) {
  const Tensor x = expand(ones({1, 1}), {kHuge, 1}), y = expand(ones({1, 1}), {1, kHuge});
  EXPECT_EQ(CodeOf([&] { add(x, y); }), ErrorCode::kInvalidArgument);
}

TEST(LimitsTest, WhoAskedForTooMuchIsNamed) {
  EXPECT_EQ(MessageOf([] { empty({-1}); }),
            "empty.memory_format(): sizes must not be negative, got [-1]");
  EXPECT_EQ(MessageOf([] {
              empty({kHuge, 1});
            }),
            "empty.memory_format(): a tensor of sizes [4611686018427387904, 1] and dtype float32 "
            "has more than 2^63 - 1 bytes");
  EXPECT_EQ(MessageOf([] { resize_(zeros({0}), {-1}); }),
            "resize_(): sizes must not be negative, got [-1]");
  // Several outputs, the first of which is too large for any machine.
  const Tensor x = expand(ones({1, 1}), {int64_t{1} << 55, 2});
  EXPECT_EQ(MessageOf([&] { max(x, 1); }),
            "max.dim(): cpu: out of memory: asked for 144115188075855872 bytes");
  EXPECT_EQ(MessageOf([&] { add(x, x); }),
            "add.Tensor(): cpu: out of memory: asked for 288230376151711744 bytes");
  EXPECT_EQ(MessageOf([&] { add_out(zeros({0}), x, x); }),
            "add.out(): cpu: out of memory: asked for 288230376151711744 bytes");
}

TEST(LimitsTest, AWindowOfTheLongestStrideIsTheFirstOne) {
  const Tensor x = tensor({{{1., 2., 3., 4.}}}), w = tensor({{{1., 1.}}});
  EXPECT_EQ(Text(conv1d(x, w, {}, {kMost})), "tensor([[[3.]]])");
  EXPECT_EQ(Text(conv1d(to(x, DType::kInt64), to(w, DType::kInt64), {}, {kMost})),
            "tensor([[[3]]])");
  EXPECT_EQ(Text(im2col(x, {1, 2}, {1, 1}, {0, 0}, {1, kMost})), "tensor([[1.],\n        [2.]])");
  EXPECT_EQ(Text(avg_pool1d(x, {2}, {kMost})), "tensor([[[1.5000]]])");
  EXPECT_EQ(Text(max_pool1d(x, {2}, {kMost})), "tensor([[[2.]]])");
  EXPECT_EQ(Text(max_pool1d(x, {3}, {kMost}, {0}, {1}, true)), "tensor([[[3.]]])");
  EXPECT_EQ(Text(max_pool1d(x, {1}, {1}, {0}, {kMost})), "tensor([[[1., 2., 3., 4.]]])");
}

TEST(LimitsTest, WindowsOfMoreElementsThanThereAreNumbersForAreRefused) {
  const Tensor x = ones({1, 1, 4, 4}), w = ones({1, 1, 2, 2});
  const int64_t padding = int64_t{1} << 40;
  EXPECT_EQ(CodeOf([&] {
              im2col(x, {padding, padding}, {1, 1}, {padding, padding}, {1, 1});
            }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { conv2d(x, w, {}, {1}, {kMost}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { conv2d(x, w, {}, {1}, {1}, {kMost}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { conv_transpose2d(x, w, {}, {kMost}); }), ErrorCode::kInvalidArgument);
}

TEST(LimitsTest, AveragesOfIntegersAreOfTheSumThatWraps) {
  EXPECT_EQ(Text(avg_pool2d(tensor({{{kMost, 1}, {12, 4}}}), {2})),
            "tensor([[[-2305843009213693948]]])");
}

TEST(LimitsTest, AnIndexFarOutsideIsRefused) {
  const Tensor x = zeros({7, 5});
  for (int64_t bad : {kMost, -kMost, INT64_MIN}) {
    EXPECT_EQ(CodeOf([&] {
                index_put_(x, {tensor({1, bad}), tensor({0, 1})}, ones({2}));
              }),
              ErrorCode::kInvalidValue);
  }
  EXPECT_FALSE(item(any(x)).To<bool>());
}

TEST(LimitsTest, ANumberThatNoCountHasRoomForIsRefused) {
  EXPECT_EQ(MessageOf([] {
              bincount(tensor({0, kMost}));
            }),
            "bincount(): numbers must be below 2^63 - 1, got 9223372036854775807 at 1");
  EXPECT_EQ(CodeOf([] { bincount(tensor({kMost - 1})); }), ErrorCode::kInvalidArgument);
}

TEST(LimitsTest, TheMultivariateGammaFunctionTakesManyDimensionsOrRefusesThem) {
  const Tensor x = tensor({2.5, 1e6}, DType::kFloat64);
  const Tensor three = mvlgamma(slice(x, 0, 0, 1), 3);
  EXPECT_TRUE(allclose(three, tensor({1.8809955}, DType::kFloat64), 1e-6));
  Tensor sum = zeros({}, DType::kFloat64);
  constexpr int64_t kSteps = 100'001;  // more than a block
  for (int64_t i = 0; i < kSteps; ++i)
    add_(sum, lgamma(sub(select(x, 0, 1), 0.5 * static_cast<double>(i))));
  const double n = kSteps, logs = n * (n - 1) / 4 * std::log(M_PI);
  EXPECT_TRUE(allclose(mvlgamma(select(x, 0, 1), kSteps), add(sum, logs), 1e-12));
  EXPECT_EQ(mvlgamma(zeros({0}), 1 << 24).numel(), 0);
  EXPECT_EQ(CodeOf([&] { mvlgamma(x, 1'000'000'000); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
