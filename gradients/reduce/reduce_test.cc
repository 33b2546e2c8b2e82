// Gradients of reductions and norms against differences.
#include <gtest/gtest.h>

#include <cmath>

#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(ReduceGradients, Norms) {
  for (const double p : {0.5, 1., 1.5, 2., 3., double{INFINITY}, -double{INFINITY}}) {
    SCOPED_TRACE(p);
    for (const Tensor& x : {Numbers({2, 3}), ComplexNumbers({2, 3})}) {
      CheckTwice([=](TensorList in) { return linalg_vector_norm(in[0], p, IntSpan({1}), true); },
                 {x});
      CheckTwice([=](TensorList in) { return linalg_vector_norm(in[0], p); }, {x});
    }
    CheckTwice([=](TensorList in) { return dist(in[0], in[1], p); },
               {Numbers({2, 3}), Numbers({3}, 2)});
  }
}

TEST(ReduceGradients, Renorm) {
  for (const Tensor& x : {Numbers({3, 2}), ComplexNumbers({3, 2})}) {
    CheckTwice([](TensorList in) { return renorm(in[0], 2, 0, 1.2); }, {x});
    CheckTwice([](TensorList in) { return renorm(in[0], 1.5, -1, 0.7); }, {x});
  }
}

TEST(ReduceGradients, Logsumexp) {
  for (const Tensor& x : {Numbers({3, 2}), ComplexNumbers({3, 2})}) {
    CheckTwice([](TensorList in) { return logsumexp(in[0], IntSpan({1})); }, {x});
    CheckTwice([](TensorList in) { return logsumexp(in[0], IntSpan({0, 1}), true); }, {x});
  }
}

}  // namespace
}  // namespace sy
