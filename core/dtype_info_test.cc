#include "switchyard/core/dtype_info.h"

#include <gtest/gtest.h>

#include <limits>

#include "switchyard/core/error.h"

namespace sy {
namespace {

TEST(DTypeInfoTest, FinfoSaysWhatPyTorchSays) {
  const FloatInfo f32 = finfo(DType::kFloat32), bf16 = finfo(DType::kBFloat16);
  EXPECT_EQ(f32.bits, 32);
  EXPECT_EQ(f32.eps, std::numeric_limits<float>::epsilon());
  EXPECT_EQ(f32.min, -f32.max);
  EXPECT_NEAR(f32.resolution, 1e-6, 1e-20);
  EXPECT_EQ(bf16.bits, 16);
  EXPECT_EQ(bf16.eps, 0.0078125);
  EXPECT_EQ(bf16.max, 3.3895313892515355e+38);
  EXPECT_EQ(finfo(DType::kFloat16).smallest_subnormal, 0x1p-24);
  EXPECT_EQ(finfo(DType::kFloat8E4M3FN).max, 448);
  EXPECT_EQ(finfo(DType::kComplex128).eps, std::numeric_limits<double>::epsilon());
}

TEST(DTypeInfoTest, IinfoHoldsBothEndsOfEveryInteger) {
  EXPECT_EQ(iinfo(DType::kInt8).min, -128);
  EXPECT_EQ(iinfo(DType::kUInt8).max, 255u);
  EXPECT_EQ(iinfo(DType::kInt64).min, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(iinfo(DType::kUInt64).max, std::numeric_limits<uint64_t>::max());
  EXPECT_EQ(iinfo(DType::kUInt64).bits, 64);
}

TEST(DTypeInfoTest, ADTypeOfTheOtherKindIsAnError) {
  EXPECT_THROW(finfo(DType::kInt32), Error);
  EXPECT_THROW(iinfo(DType::kFloat32), Error);
  EXPECT_THROW(iinfo(DType::kBool), Error);
}

}  // namespace
}  // namespace sy
