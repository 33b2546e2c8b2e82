// Operators of lists against the operators of their tensors.

#include <gtest/gtest.h>

#include <limits>

#include "switchyard/backends/cpu/kernels/testing.h"
#include "switchyard/core/constant.h"
#include "switchyard/core/testing.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

// Plain tensors, which go to the kernel at once, beside others: transposed, with gaps, integers.
List Mixed(int seed) {
  manual_seed(seed);
  return {rand({37}),
          transpose(rand({3, 5}), 0, 1),
          to(rand({4, 4}), DType::kFloat16),
          rand(Ints({})),
          slice(rand({6, 8}), 1, 0, 8, 2),
          empty({0, 3}),
          to(rand({9}), DType::kFloat64),
          to(rand({9}), DType::kComplex64)};
}
List Clones(const List& list) {
  List copies;
  for (const Tensor& t : list) copies.push_back(clone(t));
  return copies;
}
template <class F>
void ExpectEach(const List& got, F expected) {
  for (size_t i = 0; i < got.size(); ++i) {
    const Tensor e = expected(i);
    EXPECT_TRUE(SameBytes(got[i], e)) << i << ": " << Text(got[i]) << " for " << Text(e);
    EXPECT_TRUE(SameSizes(got[i].strides(), e.strides())) << i;
  }
}

TEST(ForeachTest, AddIsEachTensorsAdd) {
  const List a = Mixed(1), b = Mixed(2);
  ExpectEach(_foreach_add(a, b, 2), [&](size_t i) { return add(a[i], b[i], 2); });
  ExpectEach(_foreach_add(a, 1.5), [&](size_t i) { return add(a[i], 1.5); });
  ExpectEach(_foreach_add(a, tensor(0.25)), [&](size_t i) { return add(a[i], tensor(0.25)); });
  const List c = Clones(a);
  _foreach_add_(c, b, -1);
  ExpectEach(c, [&](size_t i) { return sub(a[i], b[i]); });
}

TEST(ForeachTest, NumbersThatDtypesDoNotHoldAreTheOperators) {
  const List a = {ones({3}), ones({3}, DType::kFloat16)};
  for (const Scalar& s : {Scalar(1e300), Scalar(true), Scalar(std::complex<double>(0, 1)),
                          Scalar(std::numeric_limits<double>::quiet_NaN())}) {
    ExpectEach(_foreach_mul(a, s), [&](size_t i) { return mul(a[i], s); });
  }
}

TEST(ForeachTest, ListsOfNumbersGoWithTheTensors) {
  const List a = Mixed(1), b = Mixed(2);
  const std::vector<Scalar> s = {1, 2., 0.5, -1, 3, 4, 5., 6};
  ExpectEach(_foreach_mul(a, std::span(s)), [&](size_t i) { return mul(a[i], s[i]); });
  ExpectEach(_foreach_addcmul(a, b, b, std::span(s)),
             [&](size_t i) { return addcmul(a[i], b[i], b[i], s[i]); });
  ExpectEach(_foreach_lerp(a, b, 0.25), [&](size_t i) { return lerp(a[i], b[i], 0.25); });
}

TEST(ForeachTest, ATensorMayBeWrittenWhereItIsRead) {
  const List a = Mixed(1), c = Clones(a);
  _foreach_mul_(c, c);
  ExpectEach(c, [&](size_t i) { return mul(a[i], a[i]); });
  _foreach_sqrt_(c);
  ExpectEach(c, [&](size_t i) { return sqrt(mul(a[i], a[i])); });
  const Tensor base = ones({8});
  const List low = {slice(base, 0, 0, 4)}, shifted = {slice(base, 0, 2, 6)};
  EXPECT_EQ(CodeOf([&] { _foreach_add_(low, shifted); }), ErrorCode::kInvalidArgument);
}

TEST(ForeachTest, SizesBroadcastTensorByTensor) {
  ExpectEach(_foreach_sub({ones({2, 3})}, {ones({3})}), [](size_t) { return zeros({2, 3}); });
  EXPECT_EQ(CodeOf([] {
              _foreach_sub_({ones({3})}, {ones({2, 3})});
            }),
            ErrorCode::kInvalidArgument);
}

TEST(ForeachTest, RefusesWhatDoesNotFit) {
  const List one = {ones({2})}, two = {ones({2}), ones({2})};
  EXPECT_EQ(CodeOf([] { _foreach_sqrt(List{}); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { _foreach_add(one, two); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { _foreach_mul(one, ones({1})); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { _foreach_sqrt_out(one, two); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf([&] { _foreach_sqrt_out({ones({2}, DType::kFloat64)}, one); }),
            ErrorCode::kInvalidArgument);
  const List constant = {freeze(ones({2}))};
  EXPECT_EQ(CodeOf([&] { _foreach_neg_(constant); }), ErrorCode::kInvalidArgument);
}

TEST(ForeachTest, OutTensorsAreResized) {
  const List out = {empty({0}), empty({5})};
  _foreach_add_out(out, {ones({2}), ones({3})}, 1);
  ExpectEach(out,
             [](size_t i) { return full({static_cast<int64_t>(2 + i)}, 2., DType::kFloat32); });
}

TEST(ForeachTest, PowersAreSummedWithoutARoot) {
  const Tensor x = tensor({-1., 2., -3.});
  EXPECT_EQ(Text(_foreach_powsum({x})[0]), "tensor(14.)");
  EXPECT_EQ(Text(_foreach_powsum({x}, 3)[0]), "tensor(36.)");
  EXPECT_EQ(Text(_foreach_powsum({x}, 0)[0]), "tensor(3.)");
  EXPECT_EQ(Text(_foreach_norm({x}, 1)[0]), "tensor(6.)");
  EXPECT_EQ(CodeOf([&] { _foreach_norm({x}, Scalar(true)); }), ErrorCode::kInvalidArgument);
}

TEST(AmpTest, UnscalesAndFindsWhatIsNotFinite) {
  const float inf = std::numeric_limits<float>::infinity();
  const Tensor a = tensor({2., 4.}), b = tensor({inf, 1.}), found = zeros({1});
  const Tensor half = full({1}, 0.5, DType::kFloat32);
  _amp_foreach_non_finite_check_and_unscale_({a}, found, half);
  EXPECT_EQ(Text(a) + Text(found), "tensor([1., 2.])tensor([0.])");
  _amp_foreach_non_finite_check_and_unscale_({b}, found, half);
  EXPECT_EQ(Text(b) + Text(found), "tensor([   inf, 0.5000])tensor([1.])");
}

TEST(AmpTest, FindsWhatIsNotFiniteWhereverItIs) {
  const Tensor half = full({1}, 0.5, DType::kFloat32);
  for (DType d : {DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64}) {
    for (int64_t at : {0, 15, 36, 50000}) {
      const List list = {ones({at + 1}, d), transpose(ones({3, 5}, d), 0, 1), empty({0}, d)};
      const Tensor found = zeros(Ints({}));
      _amp_foreach_non_finite_check_and_unscale_(list, found, half);
      EXPECT_EQ(item(found).To<double>(), 0);
      fill_(select(list[0], 0, at), std::numeric_limits<double>::quiet_NaN());
      _amp_foreach_non_finite_check_and_unscale_(list, found, half);
      EXPECT_EQ(item(found).To<double>(), 1);
      EXPECT_EQ(item(select(select(list[1], 0, 4), 0, 2)).To<double>(), 0.25);
    }
  }
  const List integers = {ones({2}, DType::kInt64)};
  EXPECT_EQ(CodeOf([&] { _amp_foreach_non_finite_check_and_unscale_(integers, zeros({1}), half); }),
            ErrorCode::kNotImplemented);
}

TEST(AmpTest, TheScaleGrowsAndBacksOff) {
  const Tensor scale = full({1}, 8., DType::kFloat32), none = zeros({1}), one = ones({1});
  const Tensor tracker = zeros({1}, DType::kInt32);
  const auto state = [&] { return Text(scale) + Text(tracker); };
  _amp_update_scale_(scale, tracker, none, 2., 0.5, 2);
  EXPECT_EQ(state(), "tensor([8.])tensor([1], dtype=torch.int32)");
  _amp_update_scale_(scale, tracker, none, 2., 0.5, 2);
  EXPECT_EQ(state(), "tensor([16.])tensor([0], dtype=torch.int32)");
  _amp_update_scale_(scale, tracker, one, 2., 0.5, 2);
  EXPECT_EQ(state(), "tensor([8.])tensor([0], dtype=torch.int32)");
}

}  // namespace
}  // namespace sy
