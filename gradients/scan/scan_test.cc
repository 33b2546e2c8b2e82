// Gradients of cumulative operators against differences.
#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(ScanGradients, Products) {
  for (const Tensor& x :
       {Numbers({3, 2}), ComplexNumbers({3, 2}), tensor({{1.5, 0.}, {0., 0.7}, {-2., 0.}})}) {
    CheckTwice([](TensorList in) { return cumprod(in[0], 0); }, {x});
    CheckTwice([](TensorList in) { return cumprod(in[0], -1); }, {x});
  }
}

TEST(ScanGradients, Sums) {
  for (const Tensor& x : {Numbers({3, 2}), ComplexNumbers({3, 2})}) {
    CheckTwice([](TensorList in) { return cumsum(in[0], 0); }, {x});
    CheckTwice([](TensorList in) { return logcumsumexp(in[0], 1); }, {x});
  }
}

}  // namespace
}  // namespace sy
