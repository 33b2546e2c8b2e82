#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(LerpTest, IsExactAtBothEnds) {
  const Tensor a = tensor({1e8, -3.}), b = tensor({0.1, 7.});
  EXPECT_EQ(ToString(sub(lerp(a, b, 0), a)), "tensor([0., 0.])");
  EXPECT_EQ(ToString(sub(lerp(a, b, 1), b)), "tensor([0., 0.])");
}

TEST(LerpTest, TakesAWeightForEachElement) {
  const Tensor a = tensor({0., 1.}), b = tensor({10., 20.});
  EXPECT_EQ(ToString(lerp(a, b, tensor({0.3, 0.9}))), "tensor([ 3.0000, 18.1000])");
  EXPECT_EQ(ToString(lerp(a, b, tensor({{0.}, {0.5}}))),
            "tensor([[ 0.0000,  1.0000],\n        [ 5.0000, 10.5000]])");
}

TEST(LerpTest, OfComplexNumbersTakesAComplexWeight) {
  const Tensor a = to(tensor({0., 1.}), DType::kComplex64),
               b = to(tensor({10., 20.}), DType::kComplex64);
  EXPECT_EQ(ToString(lerp(a, b, Scalar(std::complex<double>(0, 1)))), "tensor([0.+10.j, 1.+19.j])");
}

TEST(LerpTest, RefusesOtherDTypes) {
  const Tensor a = tensor({0., 1.});
  EXPECT_THROW(lerp(a, to(a, DType::kFloat64), 0.5), Error);
  EXPECT_THROW(lerp(a, a, to(a, DType::kFloat64)), Error);
  EXPECT_THROW(lerp(a, a, Scalar(std::complex<double>(0, 1))), Error);
  EXPECT_THROW(lerp(tensor({0, 1}), tensor({0, 1}), 1), Error);
}

}  // namespace
}  // namespace sy
