// Calls that are refused write nothing, whatever they find wrong and however late.
#include <gtest/gtest.h>

#include <array>
#include <complex>
#include <limits>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

const double kInf = std::numeric_limits<double>::infinity();
const std::complex<double> kImaginary{1, 2};

Tensor Nines() { return full({3}, 9.); }
const char* const kNines = "tensor([9., 9., 9.])";

TEST(RefusedTest, ABadIndexLeavesOutUntouched) {
  const Tensor x = ones({3}), index = tensor({0, 1, 5}), out = Nines();
  EXPECT_EQ(CodeOf([&] { index_copy_out(out, x, 0, index, x); }), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(CodeOf([&] { index_add_out(out, x, 0, index, x); }), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(CodeOf([&] { index_fill_out(out, x, 0, index, 2); }), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(CodeOf([&] { scatter_out(out, x, 0, index, x); }), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(CodeOf([&] { index_put_out(out, x, {index}, x); }), ErrorCode::kIndexOutOfRange);
  EXPECT_EQ(Text(out), kNines);
}

TEST(RefusedTest, AnOutOfSizesOfItsOwnIsStillWrittenFromSelf) {
  const Tensor out = Nines();
  index_copy_out(out, ones({3}), 0, tensor({1}), tensor({5.}));
  EXPECT_EQ(Text(out), "tensor([1., 5., 1.])");
}

TEST(RefusedTest, NoResultIsStoredUnlessAllCanBe) {
  const Tensor a = eye(2), q = zeros({0}), sign = full({}, 9.);
  EXPECT_EQ(CodeOf([&] { linalg_qr_out(q, zeros({0}, DType::kInt8), a); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(q.numel(), 0);
  EXPECT_EQ(CodeOf([&] { linalg_slogdet_out(sign, zeros({}, DType::kInt16), a); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(Text(sign), "tensor(9.)");
}

TEST(RefusedTest, AnOutThatOverlapsItselfIsSeenBeforeAnythingIsStored) {
  const Tensor a = expand(eye(2), {3, 2, 2}), sign = Nines();
  EXPECT_EQ(CodeOf([&] { linalg_slogdet_out(sign, expand(zeros({1}), {3}), a); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(Text(sign), kNines);
}

TEST(RefusedTest, StatisticsStayWhereOneOfTheirOutputsIsRefused) {
  const Tensor x = tensor({{1., 2., 3.}, {3., 6., 5.}}), mean = Nines(), var = Nines();
  const Tensor good = zeros({3}), lent_bytes = zeros({1});
  const Tensor lent = Tensor::FromBlob(lent_bytes.data(), std::array<int64_t, 1>{1}, x.dtype());
  const auto refused = [&](const Tensor& y, const Tensor& saved_mean, const Tensor& saved_factor) {
    return CodeOf([&] {
             native_batch_norm_out(y, saved_mean, saved_factor, x, {}, {}, mean, var, true, 0.1,
                                   1e-5);
           }) == ErrorCode::kInvalidArgument;
  };
  const Tensor y = zeros({2, 3});
  EXPECT_TRUE(refused(y, good, zeros({3}, DType::kInt64)));
  EXPECT_TRUE(refused(y, expand(zeros({1}), {3}), zeros({3})));
  EXPECT_TRUE(refused(y, good, good));
  EXPECT_TRUE(refused(y, zeros({3}), lent));
  EXPECT_EQ(Text(mean), kNines);
  EXPECT_EQ(Text(var), kNines);
  EXPECT_EQ(Text(y), Text(zeros({2, 3})));
}

TEST(RefusedTest, OutputsOfCompositesAreAllCheckedBeforeTheFirstIsWritten) {
  const Tensor x = tensor({{1., 2., 3.}, {3., 6., 5.}}), first = Nines(), bytes = zeros({1});
  const Tensor lent = Tensor::FromBlob(bytes.data(), std::array<int64_t, 1>{1}, x.dtype());
  for (const Tensor& second : {first, lent}) {
    EXPECT_EQ(CodeOf([&] { std_mean_out(first, second, x, {0}); }), ErrorCode::kInvalidArgument);
    EXPECT_EQ(CodeOf([&] { aminmax_out(first, second, x, 0); }), ErrorCode::kInvalidArgument);
  }
  EXPECT_EQ(Text(first), kNines);
}

TEST(RefusedTest, FillingKeepsSizesWhereTheFillingDoesNotFit) {
  const Tensor bytes = zeros({0}, DType::kUInt8), numbers = zeros({0}, DType::kComplex64);
  EXPECT_NE(CodeOf([&] { full_out(bytes, {2}, -300.5); }), ErrorCode::kOk);
  EXPECT_NE(CodeOf([&] { randn_out(bytes, {2}); }), ErrorCode::kOk);
  EXPECT_NE(CodeOf([&] { randint_out(numbers, 5, {2}); }), ErrorCode::kOk);
  EXPECT_NE(CodeOf([&] { randint_out(bytes, -5, {2}); }), ErrorCode::kOk);
  EXPECT_EQ(bytes.numel(), 0);
  EXPECT_EQ(numbers.numel(), 0);
}

TEST(RefusedTest, NumbersMustFitWhatTheyAreComputedWith) {
  const Tensor x = ones({2}), m = ones({2, 2}), i = ones({2, 2}, DType::kInt32);
  const auto refuses = [](auto f) { return CodeOf(f) == ErrorCode::kInvalidArgument; };
  EXPECT_TRUE(refuses([&] { leaky_relu(x, kImaginary); }));
  EXPECT_TRUE(refuses([&] { elu(x, 1, 1e40); }));
  EXPECT_TRUE(refuses([&] { threshold(i, 0, kInf); }));
  EXPECT_TRUE(refuses([&] { hardtanh(i, 0, kImaginary); }));
  EXPECT_TRUE(refuses([&] { softshrink(x, kInf); }));
  EXPECT_TRUE(refuses([&] { addcmul(x, x, x, kImaginary); }));
  EXPECT_TRUE(refuses([&] { addmm(i, i, i, 1, kImaginary); }));
  EXPECT_TRUE(refuses([&] { addmm(m, m, m, 1e40); }));
  EXPECT_TRUE(refuses([&] { index_fill_(to(x, DType::kUInt8), 0, tensor({0}), 1e40); }));
  EXPECT_TRUE(refuses([&] { fill_(to(x, DType::kFloat16), 70000.); }));
  EXPECT_EQ(Text(fill_(zeros({1}, DType::kFloat16), 70000.)), "tensor([inf], dtype=torch.float16)");
  EXPECT_TRUE(refuses([&] { fill_(zeros({1}), 1e39); }));
  EXPECT_TRUE(refuses([&] { linspace(1, 300, 3, DType::kUInt8); }));
  EXPECT_EQ(linspace(1, 300, 1, DType::kUInt8).numel(), 1);
  EXPECT_EQ(Text(leaky_relu(neg(x), kInf)), "tensor([-inf, -inf])");
}

TEST(RefusedTest, HistogramsOfIntegersAreRefusedAndDoNotRecurse) {
  EXPECT_EQ(CodeOf([] {
              histogramdd(ones({4, 2}, DType::kInt64), {2, 2});
            }),
            ErrorCode::kNotImplemented);
}

TEST(RefusedTest, SizesOfMoreBytesThanThereAreNumbersForAreRefused) {
  constexpr int64_t kLarge = (int64_t{1} << 31) + 1;
  const Tensor x = zeros({0});
  EXPECT_EQ(CodeOf([&] { resize_(x, {kLarge, kLarge}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { eye_out(x, kLarge); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(x.numel(), 0);
}

TEST(RefusedTest, ATargetThatIsNoProbabilityIsRefused) {
  EXPECT_EQ(CodeOf([] { binary_cross_entropy(tensor({.5}), tensor({1.5})); }),
            ErrorCode::kInvalidValue);
}

TEST(RefusedTest, WhatRepeatsAddUpToIsChecked) {
  EXPECT_EQ(CodeOf([] { repeat_interleave(arange(3), 2, 0, 5); }), ErrorCode::kInvalidArgument);
}

TEST(RefusedTest, NamedPaddingLooksAtTheLengthOfDilationFirst) {
  const Tensor x = ones({1, 2, 4}), weight = ones({2, 2, 3});
  EXPECT_EQ(CodeOf([&] { conv1d(x, weight, {}, {1}, "same", IntSpan()); }),
            ErrorCode::kInvalidArgument);
}

TEST(RefusedTest, AComplexMeanIsNotStoredAsARealNumber) {
  EXPECT_EQ(CodeOf([] { mean_out(zeros({}), ones({2}, DType::kComplex64), DType::kComplex64); }),
            ErrorCode::kInvalidArgument);
}

TEST(RefusedTest, TuplesLongerThanMemoryAreRefused) {
  constexpr int64_t kLong = std::numeric_limits<int64_t>::max() - 1;
  EXPECT_EQ(CodeOf([] { combinations(ones({2}), kLong, true); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { prelu(ones({5}), ones({1, 1})); }), ErrorCode::kInvalidArgument);
}

TEST(RefusedTest, ADiagonalOffsetBeyondAllSizesIsRefused) {
  constexpr int64_t kLeast = std::numeric_limits<int64_t>::min();
  EXPECT_EQ(CodeOf([] { diag_embed(ones({2}), kLeast); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([] { diag_embed(ones({2}), -(kLeast + 1)); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace sy
