#include "switchyard/core/promotion.h"

#include <gtest/gtest.h>

#include <complex>

#include "switchyard/core/error.h"

namespace sy {
namespace {

DType Of(std::initializer_list<Tensor> tensors) {
  TypePromotion p;
  for (const Tensor& t : tensors) p.Add(t);
  return p.Result();
}
Tensor Vector(DType d) { return Tensor::Empty({2}, d); }
Tensor ZeroDim(DType d) { return Tensor::Empty(IntSpan(), d); }

TEST(PromotionTest, IsSymmetric) {
  for (int a = 0; a < kNumDTypes; ++a) {
    for (int b = 0; b < kNumDTypes; ++b) {
      EXPECT_EQ(TryPromoteTypes(static_cast<DType>(a), static_cast<DType>(b)),
                TryPromoteTypes(static_cast<DType>(b), static_cast<DType>(a)));
    }
  }
}

TEST(PromotionTest, UnsignedAndSignedBytesMeetInInt16) {
  EXPECT_EQ(PromoteTypes(DType::kUInt8, DType::kInt8), DType::kInt16);
}

TEST(PromotionTest, TheTwoHalfTypesMeetInFloat32) {
  EXPECT_EQ(PromoteTypes(DType::kFloat16, DType::kBFloat16), DType::kFloat32);
}

TEST(PromotionTest, TypesWithoutACommonOneAreAnError) {
  EXPECT_THROW(PromoteTypes(DType::kUInt64, DType::kInt64), Error);
  EXPECT_THROW(PromoteTypes(DType::kFloat8E5M2, DType::kFloat32), Error);
}

TEST(PromotionTest, ZeroDimTensorsOnlyRaiseTheCategory) {
  EXPECT_EQ(Of({Vector(DType::kInt8), ZeroDim(DType::kInt64)}), DType::kInt8);
  EXPECT_EQ(Of({Vector(DType::kInt8), ZeroDim(DType::kFloat64)}), DType::kFloat64);
  EXPECT_EQ(Of({Vector(DType::kFloat16), ZeroDim(DType::kFloat64)}), DType::kFloat16);
}

TEST(PromotionTest, NumbersAreWeakest) {
  EXPECT_EQ(Of({Vector(DType::kUInt8), NumberTensor(3)}), DType::kUInt8);
  EXPECT_EQ(Of({ZeroDim(DType::kInt32), NumberTensor(2.5)}), DType::kFloat32);
  EXPECT_EQ(Of({Vector(DType::kBool), NumberTensor(3)}), DType::kInt64);
}

TEST(PromotionTest, WideUnsignedTypesGiveWayToWeakerComplexOnes) {
  EXPECT_EQ(Of({Vector(DType::kUInt16), NumberTensor(Scalar(std::complex<double>(0, 1)))}),
            DType::kComplex64);
  EXPECT_EQ(Of({Vector(DType::kUInt64), ZeroDim(DType::kComplex128)}), DType::kComplex128);
  EXPECT_THROW(Of({Vector(DType::kUInt32), Vector(DType::kComplex64)}), Error);
}

TEST(PromotionTest, StoringMustNotLowerTheCategory) {
  EXPECT_TRUE(CanCast(DType::kInt64, DType::kUInt8));
  EXPECT_FALSE(CanCast(DType::kFloat32, DType::kInt64));
  EXPECT_FALSE(CanCast(DType::kComplex64, DType::kFloat64));
  EXPECT_FALSE(CanCast(DType::kInt8, DType::kBool));
  EXPECT_TRUE(CanCast(DType::kBool, DType::kBool));
}

}  // namespace
}  // namespace sy
