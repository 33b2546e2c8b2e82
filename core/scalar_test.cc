#include "switchyard/core/scalar.h"

#include <gtest/gtest.h>

#include <limits>

#include "switchyard/core/error.h"

namespace sy {
namespace {

TEST(ScalarTest, KindsFollowTheCppTypes) {
  EXPECT_EQ(Scalar(true).kind(), Scalar::kBool);
  EXPECT_EQ(Scalar(3).kind(), Scalar::kInt);
  EXPECT_EQ(Scalar(uint64_t{1} << 63).kind(), Scalar::kUInt);
  EXPECT_EQ(Scalar(0.5f).kind(), Scalar::kDouble);
  EXPECT_EQ(Scalar(std::complex<double>(1, 2)).kind(), Scalar::kComplex);
}

TEST(ScalarTest, ConversionTruncatesAndWraps) {
  EXPECT_EQ(Scalar(2.9).To<int32_t>(), 2);
  EXPECT_EQ(Scalar(-1).To<uint8_t>(), 255);
  EXPECT_EQ(Scalar(300).To<uint8_t>(), 44);
  EXPECT_EQ(Scalar(std::complex<double>(3, 4)).To<float>(), 3.0f);
  EXPECT_EQ(Scalar(uint64_t{1} << 63).To<double>(), 0x1p63);
  EXPECT_EQ(Scalar(2).To<std::complex<float>>(), std::complex<float>(2, 0));
}

TEST(ScalarTest, CheckedConversionRefusesWhatDoesNotFit) {
  EXPECT_EQ(Scalar(255).CheckedTo<uint8_t>(), 255);
  EXPECT_THROW(Scalar(256).CheckedTo<uint8_t>(), Error);
  EXPECT_EQ(Scalar(-1).CheckedTo<uint8_t>(), 255);  // two's complement, as ATen
  EXPECT_THROW(Scalar(-256).CheckedTo<uint8_t>(), Error);
  EXPECT_THROW(Scalar(128).CheckedTo<int8_t>(), Error);
  EXPECT_THROW(Scalar(1e10).CheckedTo<int32_t>(), Error);
  EXPECT_THROW(Scalar(std::numeric_limits<double>::quiet_NaN()).CheckedTo<int64_t>(), Error);
  EXPECT_THROW(Scalar(70000.0).CheckedTo<Half>(), Error);
  EXPECT_THROW(Scalar(std::complex<double>(1, 1)).CheckedTo<double>(), Error);
  EXPECT_THROW(Scalar(uint64_t{1} << 63).CheckedTo<int64_t>(), Error);
}

TEST(ScalarTest, InfinityFitsFloatingTypes) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(Scalar(inf).Fits(DType::kFloat16));
  EXPECT_FALSE(Scalar(inf).Fits(DType::kInt64));
  EXPECT_FALSE(Scalar(inf).Fits(DType::kFloat8E4M3FN));  // which has none
}

TEST(ScalarTest, TextIsPythons) {
  EXPECT_EQ(Scalar(true).str(), "True");
  EXPECT_EQ(Scalar(-3).str(), "-3");
  EXPECT_EQ(Scalar(2.0).str(), "2.0");
  EXPECT_EQ(Scalar(1e-5).str(), "1e-05");
  EXPECT_EQ(Scalar(std::complex<double>(1, -2)).str(), "(1-2j)");
  EXPECT_EQ(Scalar(std::complex<double>(0, 2.5)).str(), "2.5j");
}

}  // namespace
}  // namespace sy
