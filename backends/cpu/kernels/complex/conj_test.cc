// Conjugates and negatives as views: what is read of them, written to them, and refused.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <complex>

#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using C = std::complex<double>;
using ::testing::HasSubstr;

class ConjTest : public ::testing::Test {
 protected:
  // A number of its own, whatever t is.
  static C At(const Tensor& t, int64_t i) {
    return ToHost(contiguous(view(clone(t), {-1}))).at<C>(i);
  }

  const Tensor z = complex(tensor({{1., 2.}, {3., 4.}}, DType::kFloat64),
                           tensor({{5., 6.}, {-7., 8.}}, DType::kFloat64));
};

TEST_F(ConjTest, IsAView) {
  const Tensor c = conj(z);
  EXPECT_TRUE(c.is_conj());
  EXPECT_EQ(c.data(), z.data());
  EXPECT_EQ(At(c, 1), C(2, -6));
  EXPECT_FALSE(conj(c).is_conj());
  EXPECT_FALSE(conj(real(z)).is_conj());
  z.at<C>(0, 0) = {9, 9};
  EXPECT_EQ(At(c, 0), C(9, -9));
}

TEST_F(ConjTest, OperatorsSeeTheConjugates) {
  const Tensor c = conj(z), own = conj_physical(z);
  EXPECT_TRUE(equal(c, own));
  EXPECT_FALSE(equal(c, z));
  EXPECT_TRUE(equal(mul(c, z), mul(own, z)));
  EXPECT_TRUE(equal(mm(z, mH(z)), mm(z, conj_physical(mT(z)))));
  EXPECT_TRUE(equal(cat({c, z}), cat({own, z})));
  EXPECT_TRUE(equal(sum(c), sum(own)));
  EXPECT_FALSE(add(c, 1).is_conj());
  EXPECT_FALSE(clone(c).is_conj());
  EXPECT_TRUE(equal(to(c, DType::kComplex64), to(own, DType::kComplex64)));
  EXPECT_EQ(item(select(select(c, 0, 1), 0, 0)).To<C>(), C(3, 7));
}

TEST_F(ConjTest, ViewsOfItAreConjugatesToo) {
  const Tensor c = conj(z), own = conj_physical(z);
  for (const Tensor& v : {t(c), select(c, 0, 1), unsqueeze(c, 0), expand(c, {3, 2, 2}), detach(c),
                          diagonal(c), view(c, {4}), split(c, 1)[1]}) {
    EXPECT_TRUE(v.is_conj());
    EXPECT_EQ(v.storage().data(), z.storage().data());
  }
  EXPECT_TRUE(equal(t(c), t(own)));
  EXPECT_TRUE(equal(expand(c, {3, 2, 2}), expand(own, {3, 2, 2})));
  EXPECT_TRUE(equal(reshape(t(c), {4}), reshape(t(own), {4})));  // has to copy
  EXPECT_TRUE(equal(contiguous(t(c)), t(own)));
  EXPECT_TRUE(equal(adjoint(z), conj_physical(mT(z))));
  EXPECT_TRUE(adjoint(z).is_conj());
  EXPECT_EQ(unsqueeze_(conj(z), 0).dim(), 3);
}

TEST_F(ConjTest, WhatIsWrittenReachesTheTensor) {
  const Tensor c = conj(z);
  EXPECT_TRUE(fill_(select(c, 0, 0), std::complex<double>(1, 2)).is_conj());
  EXPECT_EQ(z.at<C>(0, 1), C(1, -2));
  add_(c, z);  // 1 + 2i + 1 - 2i
  EXPECT_EQ(z.at<C>(0, 0), C(2, 0));
  EXPECT_EQ(z.at<C>(1, 0), C(6, 0));
  mul_out(c, z, tensor({{1., 1.}, {1., 2.}}));
  EXPECT_EQ(z.at<C>(1, 1), C(16, 0));
  copy_(c, complex(zeros({2, 2}, DType::kFloat64), ones({2, 2}, DType::kFloat64)));
  EXPECT_EQ(z.at<C>(1, 1), C(0, -1));
}

TEST_F(ConjTest, PartsOfIt) {
  const Tensor c = conj(z);
  EXPECT_TRUE(equal(real(c), real(z)));
  EXPECT_FALSE(real(c).is_conj());
  const Tensor im = imag(c);
  EXPECT_TRUE(im.is_neg());
  EXPECT_EQ(im.dtype(), DType::kFloat64);
  EXPECT_TRUE(equal(im, neg(imag(z))));
  EXPECT_TRUE(equal(neg(im), imag(z)));
  fill_(im, 3);
  EXPECT_EQ(z.at<C>(1, 0), C(3, -3));
}

TEST_F(ConjTest, IsWrittenOutWhenAsked) {
  const Tensor own = resolve_conj(conj(z)), im = resolve_neg(imag(conj(z)));
  EXPECT_FALSE(own.is_conj());
  EXPECT_EQ(own.at<C>(0, 0), C(1, -5));
  EXPECT_FALSE(im.is_neg());
  EXPECT_EQ(im.at<double>(1, 0), 7);
  EXPECT_TRUE(resolve_conj(z).is_same(z));
}

TEST_F(ConjTest, WithoutAnOperator) {
  const Tensor c = conj(z);
  EXPECT_EQ(ToHost(t(c)).at<C>(0, 1), C(3, 7));
  EXPECT_EQ(ToString(c), ToString(conj_physical(z)));
  EXPECT_EQ(ToString(imag(c)), ToString(neg(imag(z))));
  EXPECT_THAT(MessageOf([&] { c.at<C>(0, 0); }), HasSubstr("resolve_conj writes them out"));
  EXPECT_THAT(MessageOf([&] { imag(c).at<double>(0, 0); }), HasSubstr("resolve_neg"));
  EXPECT_THAT(MessageOf([&] { c.accessor<C, 2>(); }), HasSubstr("resolve_conj"));
  EXPECT_THAT(MessageOf([&] { view_as_real(c); }), HasSubstr("resolve_conj"));
}

TEST_F(ConjTest, HalvesAndMeta) {
  const Tensor half = to(z, DType::kComplex32);
  EXPECT_EQ(ToString(conj(half)), ToString(conj_physical(half)));
  const Tensor there = to(conj(to(z, ParseDevice("meta"))), DType::kComplex64);
  EXPECT_EQ(there.size(1), 2);
}

}  // namespace
}  // namespace sy
