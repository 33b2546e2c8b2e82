// sy::M: the typed API as methods.

#include "switchyard/methods.h"

#include <gtest/gtest.h>

#include <concepts>
#include <type_traits>
#include <utility>
#include <vector>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"

namespace sy {
namespace {

void ExpectEqual(const Tensor& a, const Tensor& b) { EXPECT_TRUE(equal(a, b)) << a << "\n" << b; }

// What a method returns is of this type, and not of one that converts to it.
template <class Expected, class T>
T Returns(T result) {
  static_assert(std::same_as<Expected, T>);
  return result;
}

TEST(MethodsTest, ChainsReadFromLeftToRight) {
  const Tensor a = rand({3, 2}), b = rand({3, 4});
  const Tensor c = M(a).transpose(0, 1).matmul(b).relu().sum(-1);
  ExpectEqual(c, sum(relu(matmul(transpose(a, 0, 1), b)), -1));
}

TEST(MethodsTest, AnMIsATensorAndATensorBecomesOne) {
  const Tensor t = tensor({1, 2});
  M m = t;
  EXPECT_TRUE(m.is_same(t));
  const Tensor back = m;
  EXPECT_TRUE(back.is_same(t));
  ExpectEqual(m.add(m), t + m);
  ExpectEqual(cat({m, t}), cat({t, t}));
  m = zeros({2});
  EXPECT_FALSE(m.is_same(t));
  m = t;
  EXPECT_TRUE(m.is_same(t));
}

TEST(MethodsTest, ResultsAreMovedAndCounted) {
  Tensor t = ones({2});
  M m = std::move(t);
  EXPECT_EQ(m.use_count(), 1U);
  t = std::move(m);
  EXPECT_EQ(t.use_count(), 1U);
  EXPECT_EQ(M(t).use_count(), 2U);
  EXPECT_EQ(M(t).neg().use_count(), 1U);
  static_assert(std::is_nothrow_move_constructible_v<M> && std::is_nothrow_move_assignable_v<M>);
}

TEST(MethodsTest, InPlaceMethodsWriteAndReturnTheTensorItself) {
  const Tensor t = tensor({1., 2.});
  const M m = t;
  EXPECT_TRUE(m.add_(1).mul_(t).is_same(t));
  ExpectEqual(t, tensor({4., 9.}));
  ExpectEqual(M(t).sqrt_().reciprocal_().neg(), tensor({-1 / 2., -1 / 3.}));
  EXPECT_EQ(t.at<float>(0), 0.5F);
}

TEST(MethodsTest, ParametersAreTheFunctionsWithTheirDefaults) {
  const M x = rand({2, 3, 4});
  ExpectEqual(x.flatten(), flatten(x));
  ExpectEqual(x.flatten(1), flatten(x, 1));
  ExpectEqual(x.add(x, 2), add(x, x, 2));
  ExpectEqual(x.clamp({}, 0.5), clamp(x, {}, 0.5));
  ExpectEqual(x.mean(), mean(x));
  ExpectEqual(x.norm(), norm(x));
}

TEST(MethodsTest, ListsAreBracesOrANumber) {
  const M x = rand({2, 3, 4});
  ExpectEqual(x.sum({0, 1}, true), sum(x, {0, 1}, true));
  ExpectEqual(x.reshape({6, 4}), reshape(x, {6, 4}));
  ExpectEqual(x.reshape(24), reshape(x, 24));
  ExpectEqual(x.permute({2, 0, 1}), permute(x, {2, 0, 1}));
  ExpectEqual(x.max_pool2d(2), max_pool2d(x, {2, 2}));
  ExpectEqual(x.index({Tensor(), tensor({0, 2})}), index(x, {Tensor(), tensor({0, 2})}));
}

TEST(MethodsTest, ABoolIsABool) {
  const M x = rand({2, 3});
  ExpectEqual(x.std(), std(x));
  ExpectEqual(x.std(1), std(x, 1));
  ExpectEqual(x.std(false), std(x, false));
  ExpectEqual(x.var({0, 1}, true), var(x, {0, 1}, true));
}

TEST(MethodsTest, OptionsOrADeviceMayBeGiven) {
  const M x = ones({2});
  EXPECT_EQ(x.new_zeros({3}, {.dtype = DType::kInt8}).dtype(), DType::kInt8);
  EXPECT_EQ(x.zeros_like("meta").device(), "meta");
  EXPECT_EQ(x.empty_like(DType::kBool).dtype(), DType::kBool);
}

TEST(MethodsTest, SeveralResultsAreTensors) {
  const M x = tensor({{1, 5}, {4, 2}});
  const auto [values, indices] = x.max(1);
  ExpectEqual(values, tensor({5, 4}));
  ExpectEqual(indices, tensor({1, 0}));
  ExpectEqual(M(x.unbind()[1]).sum(), tensor(6));
}

TEST(MethodsTest, SelfMayStandBehindOtherParameters) {
  const M x = tensor({-1, 2});
  ExpectEqual(x.where(x > 0, 0), where(x > 0, x, 0));
}

TEST(MethodsTest, ToTakesWhatTensorsToTakesAndTheChainGoesOn) {
  const M x = ones({2});
  EXPECT_EQ(Returns<M>(x.to(DType::kInt32)).dtype(), DType::kInt32);
  EXPECT_EQ(Returns<M>(x.to("meta")).device(), "meta");
  const Device meta = "meta";
  EXPECT_EQ(Returns<M>(x.to(meta, DType::kInt8)).dtype(), DType::kInt8);
  EXPECT_EQ(Returns<M>(x.to("meta", DType::kInt8)).device(), "meta");
  EXPECT_EQ(Returns<M>(x.to({.dtype = DType::kFloat64})).dtype(), DType::kFloat64);
  EXPECT_EQ(Returns<M>(x.to(tensor({true}))).dtype(), DType::kBool);
  EXPECT_TRUE(x.to(DType::kFloat32).is_same(x));
  EXPECT_FALSE(x.to(DType::kFloat32, false, true).is_same(x));
}

TEST(MethodsTest, ItemIsTensors) {
  const M x = tensor(2.5);
  EXPECT_EQ(x.item<double>(), 2.5);
  EXPECT_EQ(x.item(), Scalar(2.5));
  EXPECT_EQ(M(x).mul(2).item<int>(), 5);
}

TEST(MethodsTest, SubscriptsAreTensorsAndViewsGoOn) {
  M x = zeros({3, 2});
  const M index = tensor({0, 2});
  x[0][1] = 5;
  x[1] = x[0];
  x(kAll, 0) = tensor({7, 8, 9});
  x.select(0, 2) = 1;
  x(index) += 1;
  ExpectEqual(x, tensor({{8, 6}, {8, 5}, {2, 2}}).to(DType::kFloat32));
  EXPECT_EQ(Returns<M>(x[0]).sum().item<int>(), 14);
  EXPECT_EQ(Returns<M>(x(Slice{0, 2}, 1)).max().item<int>(), 6);
  EXPECT_EQ(M(x(x > 7)).numel(), 2);
  for (const M row : x) EXPECT_EQ(row.amax().dim(), 0);
}

TEST(MethodsTest, AFailureIsTheFunctions) {
  EXPECT_THROW(M().relu(), Error);
  EXPECT_THROW(M(ones({2})).add(ones({3})), Error);
}

// A member of Tensor that a function's name hid would return something else without a word.
#define SY_IS_TENSORS(member) \
  static_assert(std::same_as<decltype(&M::member), decltype(&Tensor::member)>, #member)
SY_IS_TENSORS(defined);
SY_IS_TENSORS(dim);
SY_IS_TENSORS(sizes);
SY_IS_TENSORS(strides);
SY_IS_TENSORS(size);
SY_IS_TENSORS(stride);
SY_IS_TENSORS(numel);
SY_IS_TENSORS(storage_offset);
SY_IS_TENSORS(dtype);
SY_IS_TENSORS(itemsize);
SY_IS_TENSORS(nbytes);
SY_IS_TENSORS(device);
SY_IS_TENSORS(row);
SY_IS_TENSORS(is_host);
SY_IS_TENSORS(layout);
SY_IS_TENSORS(is_non_overlapping_and_dense);
SY_IS_TENSORS(suggest_memory_format);
SY_IS_TENSORS(is_wrapped_number);
SY_IS_TENSORS(key);
SY_IS_TENSORS(impl);
SY_IS_TENSORS(swap);
SY_IS_TENSORS(storage);
SY_IS_TENSORS(is_same);
SY_IS_TENSORS(shares_storage_with);
SY_IS_TENSORS(use_count);
SY_IS_TENSORS(set_);
SY_IS_TENSORS(set_data);
SY_IS_TENSORS(release);

TEST(MethodsTest, MembersWithOverloadsAreTensorsToo) {
  const M x = tensor({{1., 2.}, {3., 4.}});
  EXPECT_TRUE(x.is_contiguous() && x.is_contiguous(MemoryFormat::kContiguous));
  EXPECT_EQ(x.data(), x.data<float>());
  EXPECT_EQ(x.at<float>(1, -1), 4);
  EXPECT_EQ((x.accessor<float, 2>()[1][0]), 3);
  EXPECT_TRUE(x.AsStrided({2}, {1}, 2).sizes() == std::vector<int64_t>{2});
}

}  // namespace
}  // namespace sy
