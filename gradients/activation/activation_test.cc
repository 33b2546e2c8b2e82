// Gradients of activations against differences.
#include <gtest/gtest.h>

#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(ActivationGradients, InPlace) {
  CheckTwice([](TensorList x) { return elu_(mul(x[0], 1), 1.5, 1.1, 0.8); }, {Numbers({5})});
  CheckTwice([](TensorList x) { return celu_(mul(x[0], 1), 0.7); }, {Numbers({5})});
  CheckTwice([](TensorList x) { return selu_(mul(x[0], 1)); }, {Numbers({5})});
}

TEST(ActivationGradients, Rrelu) {
  CheckTwice([](TensorList x) { return rrelu(x[0]); }, {Numbers({5})});
  CheckTwice([](TensorList x) { return rrelu_(mul(x[0], 1)); }, {Numbers({5})});
  // One number below and above: what is drawn is known.
  CheckTwice([](TensorList x) { return rrelu(x[0], 0.25, 0.25, true); }, {Numbers({5})});
  CheckTwice(
      [](TensorList x) { return rrelu_with_noise(x[0], zeros_like(x[0]), 0.25, 0.25, true); },
      {Numbers({5})});
}

}  // namespace
}  // namespace sy
