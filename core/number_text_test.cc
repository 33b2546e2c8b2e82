#include "switchyard/core/number_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace sy {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(NumberTextTest, ShortestReadsBack) {
  EXPECT_EQ(ShortestText(0.1), "0.1");
  EXPECT_EQ(ShortestText(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(ShortestText(5e-324), "5e-324");
  EXPECT_EQ(ShortestText(-0.0), "-0");
}

TEST(NumberTextTest, ShortestTakesAnExponentWherePythonDoes) {
  EXPECT_EQ(ShortestText(100000), "100000");
  EXPECT_EQ(ShortestText(1e15), "1000000000000000");
  EXPECT_EQ(ShortestText(1e16), "1e+16");
  EXPECT_EQ(ShortestText(0.0001), "0.0001");
  EXPECT_EQ(ShortestText(0.00001), "1e-05");
}

TEST(NumberTextTest, DigitsAreThoseAfterThePoint) {
  EXPECT_EQ(FixedText(2.0 / 3, 4), "0.6667");
  EXPECT_EQ(FixedText(2.5, 0), "2");
  EXPECT_EQ(ScientificText(1e9, 4), "1.0000e+09");
  EXPECT_EQ(FixedText(std::numeric_limits<double>::max(), 100).size(), 309u + 1 + 100);
}

TEST(NumberTextTest, WhatIsNotANumberHasAName) {
  for (const std::string& text :
       {ShortestText(kNan), FixedText(-kNan, 2), ScientificText(kNan, 2)}) {
    EXPECT_EQ(text, "nan");
  }
  EXPECT_EQ(ShortestText(-kInf), "-inf");
  EXPECT_EQ(FixedText(kInf, 4), "inf");
}

}  // namespace
}  // namespace sy
