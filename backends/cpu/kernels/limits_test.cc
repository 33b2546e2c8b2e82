// Numbers at the ends of int64_t: an answer or an error, and no arithmetic that wraps around.
#include <gtest/gtest.h>

#include <climits>
#include <cmath>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

constexpr int64_t kMost = INT64_MAX, kHuge = int64_t{1} << 62;

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
  EXPECT_EQ(CodeOf([&] {
              avg_pool2d(x, {padding, padding}, {1}, {padding / 2});
            }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] {
              max_pool2d(x, {2, 2}, {1}, {0}, {kHuge}, true);
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
              ErrorCode::kIndexOutOfRange);
  }
  EXPECT_FALSE(item(any(x)).To<bool>());
}

TEST(LimitsTest, ANumberThatNoCountHasRoomForIsRefused) {
  EXPECT_EQ(MessageOf([] {
              bincount(tensor({0, kMost}));
            }),
            "bincount(): numbers must be below 2^63 - 1, got 9223372036854775807");
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

// --- Sizes whose products and sums have no number

TEST(LimitsTest, HistogramsOfMoreBinsThanThereAreNumbersForAreRefused) {
  const Tensor points = ones({2, 3}), square = ones({2, 2});
  const int64_t big = int64_t{1} << 32;
  EXPECT_EQ(MessageOf([&] {
              histogramdd(square, {big, big});
            }),
            "histogramdd(): the product of bins is too large: 4294967296 * 4294967296");
  // 2^64 + 2^33 bins would be 2^33.
  EXPECT_EQ(CodeOf([&] { histogramdd(points, {big, big + 2, 1}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { histogramdd(square, {kMost, 1}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { histogramdd(ones({2, 1}), kHuge / 2); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { histogramdd(ones({2, 1}), int64_t{1} << 50); }), ErrorCode::kOutOfMemory);
  EXPECT_EQ(CodeOf([&] { histogram(square, kMost); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { histc(square, int64_t{1} << 50); }), ErrorCode::kOutOfMemory);
}

TEST(LimitsTest, PointsWithoutCoordinatesHaveNoHistogram) {
  EXPECT_EQ(MessageOf([] {
              histogramdd(ones({2, 0}), IntSpan());
            }),
            "histogramdd(): self must be rows of 1 to 64 coordinates, got sizes [2, 0]");
  EXPECT_EQ(CodeOf([] { histogramdd(ones({2, 0}), 3); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { histogramdd(ones({2, 0}), TensorList()); }), ErrorCode::kInvalidArgument);
  const Tensor wide = as_strided(ones({1}), {0, int64_t{1} << 40}, {1, 1});
  EXPECT_EQ(CodeOf([&] { histogramdd(wide, 3); }), ErrorCode::kInvalidArgument);
}

TEST(LimitsTest, TrianglesOfAnySizeAreCountedRightOrRefused) {
  const int64_t big = int64_t{1} << 32;
  EXPECT_EQ(MessageOf([&] { triu_indices(big, big, -big); }),
            "triu_indices(): row 4294967296 and col 4294967296 make more than 2^63 - 1 pairs at "
            "offset -4294967296");
  EXPECT_EQ(CodeOf([&] { tril_indices(big, big, big); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { triu_indices(kMost, kMost, INT64_MIN); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { tril_indices(kMost, kMost, kMost); }), ErrorCode::kInvalidArgument);
  // Rows without an element are not looked at one by one.
  EXPECT_EQ(tril_indices(kHuge, 0).numel(), 0);
  EXPECT_EQ(triu_indices(kMost, 1, 7).numel(), 0);
  EXPECT_EQ(Text(triu_indices(kMost, kHuge, kHuge - 2)),
            "tensor([[                  0,                   0,                   1],\n"
            "        [4611686018427387902, 4611686018427387903, 4611686018427387903]])");
  EXPECT_EQ(Text(tril_indices(kMost, kMost, 2 - kMost)),
            "tensor([[9223372036854775805, 9223372036854775806, 9223372036854775806],\n"
            "        [                  0,                   0,                   1]])");
}

TEST(LimitsTest, DistancesOfMorePairsThanThereAreNumbersForAreRefused) {
  const Tensor rows = as_strided(ones({1}), {830840303538, 0}, {0, 1});
  EXPECT_EQ(MessageOf([&] { pdist(rows); }),
            "pdist(): the number of pairs is too large: 415420151769 * 830840303537");
  EXPECT_EQ(pdist(ones({3, 0})).numel(), 3);
}

TEST(LimitsTest, SizesThatAddUpOrMultiplyToTooMuchAreRefused) {
  const Tensor x = ones({2, 3}), wide = expand(ones({1}), {kHuge});
  EXPECT_EQ(CodeOf([&] { repeat_interleave(x, kMost, 0); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { cat({wide, wide}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] {
              block_diag({unsqueeze(wide, 1), unsqueeze(wide, 1)});
            }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { kron(wide, ones({4})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] {
              pixel_shuffle(expand(ones({1, 1, 1}), {4, kHuge, 1}), 2);
            }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { fft_hfft(expand(ones({1}), {kHuge + 1})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { chunk(zeros({0}), kMost); }), ErrorCode::kOutOfMemory);
  EXPECT_EQ(CodeOf([&] { tensor_split(x, kMost); }), ErrorCode::kOutOfMemory);
  EXPECT_EQ(chunk(zeros({0}), 3).size(), 3u);
  EXPECT_EQ(CodeOf([&] { _chunk_cat({x}, 0, kMost); }), ErrorCode::kInvalidArgument);
}

TEST(LimitsTest, AStrideThatNobodyTakesMayBeAny) {
  const Tensor x = ones({5, 4});
  EXPECT_EQ(slice(x, 0, 1, std::nullopt, kMost).sizes()[0], 1);
  EXPECT_EQ(sum(slice(x, 0, 1, std::nullopt, kHuge)).data<float>()[0], 4);
  const Tensor one = as_strided(ones({1}), {1, 1}, {kMost, kMost});
  EXPECT_EQ(diagonal(one).numel(), 1);
  EXPECT_EQ(unfold(one, 0, 1, kMost).numel(), 1);
  EXPECT_EQ(Text(add(one, unsqueeze(one, 0))), "tensor([[[2.]]])");
  EXPECT_EQ(narrow(one, 0, 0, 0).numel(), 0);
  EXPECT_EQ(CodeOf([&] { narrow(one, 0, 1, 0); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { empty_strided({0, 2}, {1, kMost}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { as_strided(x, {0}, {1}, kMost); }), ErrorCode::kInvalidArgument);
}

TEST(LimitsTest, WhatHasNoElementsIsCopiedWithoutDividingBySizes) {
  const Tensor self = expand(zeros({5, 5, 1, 1}, DType::kBool), {5, 5, 1, 4});
  const Tensor mask = zeros({5, 1, 0, 1}, DType::kBool);
  EXPECT_EQ(masked_scatter(self, mask, zeros({3}, DType::kBool)).numel(), 0);
}

TEST(LimitsTest, SpacedNumbersBeyondAnIntegerTypeAreNotUndefined) {
  EXPECT_EQ(linspace(0, kMost, 2, DType::kInt64).data<int64_t>()[0], 0);
  EXPECT_EQ(logspace(0, 40, 2, 10., DType::kInt32).data<int32_t>()[0], 1);
  EXPECT_EQ(logspace(100, 100, 1, 10., DType::kInt64).data<int64_t>()[0], INT64_MIN);
}

TEST(LimitsTest, DifferencesWithoutDataTakeNoTime) {
  const Tensor x = empty({kHuge / 2, 2}, DType::kInt8, std::nullopt, ParseDevice("meta"));
  EXPECT_EQ(diff(x, kHuge / 2 - 1, 0).sizes()[0], 1);
  EXPECT_EQ(diff(x, kMost, 0).sizes()[0], 0);
}

}  // namespace
}  // namespace sy
