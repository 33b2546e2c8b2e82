// Gradients of copies into views against differences.
#include <gtest/gtest.h>

#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(ViewGradients, AsStridedScatter) {
  for (const Tensor& x : {Numbers({3, 4}), ComplexNumbers({3, 4})}) {
    const Tensor part = narrow(narrow(x, 0, 0, 2), 1, 0, 2);
    CheckTwice(
        [](TensorList in) {
          return as_strided_scatter(in[0], in[1], {2, 2}, {4, 2}, 1);
        },
        {x, part});
    CheckTwice(
        [](TensorList in) {
          return as_strided_scatter(in[0], in[1], {2, 2}, {2, 1});
        },
        {x, part});
  }
}

TEST(ViewGradients, NarrowCopy) {
  CheckTwice([](TensorList x) { return narrow_copy(x[0], 1, 1, 2); }, {Numbers({2, 4})});
}

// Of conjugates and of the parts of complex numbers, which see other elements than memory holds.
TEST(ViewGradients, ViewsOfViewsAsOtherElements) {
  const Tensor x = ComplexNumbers({3, 2});
  CheckTwice([](TensorList in) { return mul(mT(conj(in[0])), mT(in[0])); }, {x});
  CheckTwice([](TensorList in) { return mul(mH(mH(in[0])), conj(in[0])); }, {x});
  CheckTwice([](TensorList in) { return square(narrow(mT(view_as_real(in[0])), 2, 0, 1)); }, {x});
  CheckTwice([](TensorList in) { return mul(unfold(real(in[0]), 0, 2, 1), 2); }, {x});
}

}  // namespace
}  // namespace sy
