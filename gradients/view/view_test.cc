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

}  // namespace
}  // namespace sy
