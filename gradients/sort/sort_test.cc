// Gradients of sorting against differences.
#include <gtest/gtest.h>

#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(SortGradients, Msort) {
  CheckTwice([](TensorList x) { return msort(x[0]); }, {Numbers({4, 2})});
}

}  // namespace
}  // namespace sy
