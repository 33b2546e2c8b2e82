// Gradients of reading and writing by index against differences.
#include <gtest/gtest.h>

#include <vector>

#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(IndexGradients, Reductions) {
  const Tensor at = tensor({0, 2, 0, 1});
  const Tensor places = tensor({{0, 1, 2}, {2, 0, 0}, {0, 0, 2}});
  for (const char* how : {"prod", "mean", "amax", "amin"}) {
    for (const bool self : {true, false}) {
      SCOPED_TRACE(how);
      CheckTwice([=](TensorList x) { return index_reduce(x[0], 0, at, x[1], how, self); },
                 {Numbers({3, 2}), Numbers({4, 2}, 2)});
      CheckTwice([=](TensorList x) { return scatter_reduce(x[0], 1, places, x[1], how, self); },
                 {Numbers({3, 4}), Numbers({4, 3}, 2)});
    }
  }
  CheckTwice([=](TensorList x) { return scatter_reduce(x[0], 1, places, x[1], "sum"); },
             {Numbers({3, 4}), Numbers({4, 3}, 2)});
}

// One 0 among the factors has the product of the others; two have nothing.
TEST(IndexGradients, OfProductsWithZeros) {
  const Tensor at = tensor({0, 0, 1, 1});
  const Tensor source = to(tensor({0., 2., 0., 0.}), DType::kFloat64);
  CheckOnce([=](TensorList x) { return index_reduce(x[0], 0, at, x[1], "prod"); },
            {Numbers({2}), source});
  CheckOnce([=](TensorList x) { return scatter_reduce(x[0], 0, at, x[1], "prod"); },
            {Numbers({2}), source});
}

TEST(IndexGradients, OfSeveralZerosOnce) {
  const Tensor source = to(tensor({0., 0.}), DType::kFloat64);
  const GradFunction product = [](TensorList x) {
    return std::vector{index_reduce(x[0], 0, tensor({0, 0}), x[1], "prod")};
  };
  EXPECT_THROW(GradGradCheck(product, {Numbers({1}), source}), Error);
}

TEST(IndexGradients, Segments) {
  const Tensor lengths = tensor({2, 1});
  for (const char* how : {"sum", "mean", "max", "min", "prod"}) {
    CheckOnce([=](TensorList x) { return segment_reduce(x[0], how, lengths); }, {Numbers({3, 2})});
  }
}

TEST(IndexGradients, Filling) {
  const Tensor at = tensor({1, 1, 0});
  for (const Tensor& x : {Numbers({3, 2}), ComplexNumbers({3, 2})}) {
    CheckTwice([=](TensorList in) { return index_fill(in[0], 0, at, in[1]); }, {x, sum(x)});
    const Tensor mask = tensor({{true, false}, {true, true}, {false, false}});
    CheckTwice([=](TensorList in) { return masked_scatter(in[0], mask, in[1]); }, {x, x});
  }
}

}  // namespace
}  // namespace sy
