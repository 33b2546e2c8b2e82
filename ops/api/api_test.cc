// The typed API as programs write it: options, numbers for lists, operators, functions by PyTorch's
// names.

#include <gtest/gtest.h>

#include <vector>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

void ExpectEqual(const Tensor& a, const Tensor& b) { EXPECT_TRUE(equal(a, b)) << a << "\n" << b; }

TEST(ApiTest, OptionsSayWhatATensorIsMadeAs) {
  const Device meta = "meta";
  const Tensor x = zeros({2, 3}, {.dtype = DType::kInt16, .device = meta});
  EXPECT_EQ(x.dtype(), DType::kInt16);
  EXPECT_EQ(x.device(), "meta");
  EXPECT_EQ(rand({2}, {.device = "meta"}).device(), x.device());
  EXPECT_EQ(full({2}, 1.5, {.dtype = DType::kFloat64}).dtype(), DType::kFloat64);
  EXPECT_EQ(empty_like(x, {.dtype = DType::kBool}).dtype(), DType::kBool);
  EXPECT_THROW(zeros({2}, {.layout = Layout::kSparse}), Error);
}

TEST(ApiTest, ADefaultThatIsNotGivenStays) {
  EXPECT_EQ(randint(3, {2}, {.device = "cpu"}).dtype(), DType::kInt64);
  EXPECT_EQ(tril_indices(2, 2, {.device = "cpu"}).dtype(), DType::kInt64);
  EXPECT_EQ(tril_indices(2, 2, -1, {.dtype = DType::kInt32}).dtype(), DType::kInt32);
}

TEST(ApiTest, ADeviceMayStandForAllOptions) {
  const Device meta = "meta";
  EXPECT_EQ(zeros({2}, meta).device(), "meta");
  EXPECT_EQ(rand({2}, "meta").device(), "meta");
  EXPECT_EQ(to(ones({2}), "meta").device(), "meta");
  EXPECT_EQ(to(ones({2}), meta, DType::kInt8).dtype(), DType::kInt8);
}

TEST(ApiTest, BracesWithNothingInThemAreStillTheDType) {
  EXPECT_EQ(zeros({2}, {}).dtype(), DType::kFloat32);
  EXPECT_EQ(zeros({2}, {}, {}, kCpu).device(), kCpu);
  EXPECT_EQ(rand({2}, nullptr).dtype(), DType::kFloat32);
}

TEST(ApiTest, ANumberStandsForAListOfItsLength) {
  EXPECT_TRUE(zeros(3).sizes() == (std::vector<int64_t>{3}));
  const Tensor x = rand({1, 1, 5, 5}), w = rand({1, 1, 3, 3});
  ExpectEqual(conv2d(x, w, {}, 2, 1), conv2d(x, w, {}, {2, 2}, {1, 1}));
  ExpectEqual(max_pool2d(x, 2), max_pool2d(x, {2, 2}));
  ExpectEqual(reshape(x, 25), reshape(x, {25}));
  ExpectEqual(flip(w, 3), flip(w, {3}));
  const int64_t dim = 0;  // another overload of count_nonzero takes one number
  ExpectEqual(count_nonzero(w, dim), sum(w != 0, 0));
}

TEST(ApiTest, OperatorsOfTwoTensorsAreTheFunctionsOfTheirNames) {
  const Tensor a = tensor({5, 7}), b = tensor({3, 2});
  ExpectEqual(a % b, remainder(a, b));
  ExpectEqual(a | b, bitwise_or(a, b));
  ExpectEqual(a & b, bitwise_and(a, b));
  ExpectEqual(a ^ b, bitwise_xor(a, b));
  ExpectEqual(a << b, bitwise_left_shift(a, b));
  ExpectEqual(a >> b, bitwise_right_shift(a, b));
  ExpectEqual(~a, bitwise_not(a));
  const Tensor t = tensor({true, false}), f = tensor({false, false});
  ExpectEqual(t && f, f);
  ExpectEqual(t || f, t);
  ExpectEqual(!t, tensor({false, true}));
}

TEST(ApiTest, NumbersMayStandOnEitherSide) {
  const Tensor a = tensor({5, 7});
  ExpectEqual(a & 1, tensor({1, 1}));
  ExpectEqual(2 | a, tensor({7, 7}));
  ExpectEqual(6 ^ a, tensor({3, 1}));
  ExpectEqual(1 << tensor({2, 3}), tensor({4, 8}));
  ExpectEqual(a >> 1, tensor({2, 3}));
  ExpectEqual(12 % a, tensor({2, 5}));
  ExpectEqual(12 - a, tensor({7, 5}));
  ExpectEqual(5 == a, tensor({true, false}));
  ExpectEqual(a == 5, tensor({true, false}));
  ExpectEqual(5 != a, tensor({false, true}));
  ExpectEqual(6 < a, tensor({false, true}));
  ExpectEqual(7 <= a, tensor({false, true}));
  ExpectEqual(6 > a, tensor({true, false}));
  ExpectEqual(5 >= a, tensor({true, false}));
}

TEST(ApiTest, AssignmentsOfOperatorsWriteTheirLeftSide) {
  const Tensor a = tensor({5, 7}), same = a;
  a &= 5;
  a |= tensor({8, 0});
  a ^= 1;
  a <<= 2;
  a >>= 1;
  a %= 7;
  ExpectEqual(same, tensor({((5 | 8) ^ 1) * 2 % 7, (5 ^ 1) * 2 % 7}));
}

TEST(ApiTest, FunctionsOfPyTorchThatAreNoOperators) {
  ExpectEqual(unique(tensor({3, 1, 3})), tensor({1, 3}));
  EXPECT_EQ(broadcast_shapes({2, 1}, {3}), (std::vector<int64_t>{2, 3}));
  EXPECT_THROW(broadcast_shapes({2}, {3}), Error);
  EXPECT_THROW(broadcast_shapes(std::vector<int64_t>(1000, 1), {3}), Error);
  const std::vector<Tensor> both = broadcast_tensors({ones({2, 1}), zeros(3)});
  EXPECT_TRUE(both[1].sizes() == (std::vector<int64_t>{2, 3}));
  EXPECT_TRUE(is_floating_point(ones(1)) && !is_complex(ones(1)));
  EXPECT_EQ(result_type(tensor({1}), 1.5), DType::kFloat32);
  EXPECT_EQ(result_type(tensor({1}), tensor({true})), DType::kInt64);
}

TEST(MetaTest, AViewWithAnOffsetHasNoBytesEither) {
  const Tensor x = zeros({4, 3}, {.device = "meta"});
  const Tensor view = slice(x, 0, 1, 4, 2);
  EXPECT_THROW(view.to("cpu"), Error);
  EXPECT_NO_THROW(copy_(view, ones({2, 3})));
  EXPECT_EQ(view.size(0), 2);
}

}  // namespace
}  // namespace sy
