// Gradients of resampling against differences.
#include <gtest/gtest.h>

#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(ResampleGradients, Upsampling) {
  const Tensor line = Numbers({1, 2, 4}), image = Numbers({1, 1, 3, 4}),
               space = Numbers({1, 1, 2, 3, 2});
  for (const bool corners : {false, true}) {
    CheckTwice([=](TensorList x) { return upsample_linear1d(x[0], {7}, corners); }, {line});
    CheckTwice([=](TensorList x) { return upsample_bilinear2d(x[0], {5, 2}, corners); }, {image});
    CheckTwice(
        [=](TensorList x) {
          return _upsample_bilinear2d_aa(x[0], {5, 2}, corners);
        },
        {image});
    CheckTwice([=](TensorList x) { return upsample_bicubic2d(x[0], {5, 2}, corners); }, {image});
    CheckTwice(
        [=](TensorList x) {
          return _upsample_bicubic2d_aa(x[0], {5, 2}, corners);
        },
        {image});
    CheckTwice(
        [=](TensorList x) {
          return upsample_trilinear3d(x[0], {3, 2, 4}, corners);
        },
        {space});
  }
  CheckTwice([](TensorList x) { return upsample_nearest1d(x[0], {7}); }, {line});
  CheckTwice([](TensorList x) { return _upsample_nearest_exact1d(x[0], {7}); }, {line});
  CheckTwice([](TensorList x) { return upsample_nearest2d(x[0], {5, 2}); }, {image});
  CheckTwice([](TensorList x) { return _upsample_nearest_exact2d(x[0], {5, 2}); }, {image});
  CheckTwice([](TensorList x) { return upsample_nearest3d(x[0], {3, 2, 4}); }, {space});
  CheckTwice([](TensorList x) { return _upsample_nearest_exact3d(x[0], {3, 2, 4}); }, {space});
}

TEST(ResampleGradients, Padding) {
  const Tensor line = Numbers({1, 2, 4}), image = Numbers({1, 1, 3, 4}),
               space = Numbers({1, 1, 2, 3, 2});
  CheckTwice([](TensorList x) { return reflection_pad1d(x[0], {2, 3}); }, {line});
  CheckTwice([](TensorList x) { return reflection_pad2d(x[0], {2, 3, 1, 0}); }, {image});
  CheckTwice([](TensorList x) { return reflection_pad3d(x[0], {1, 0, 2, 1, 0, 1}); }, {space});
  CheckTwice([](TensorList x) { return replication_pad1d(x[0], {2, 3}); }, {line});
  CheckTwice([](TensorList x) { return replication_pad2d(x[0], {2, 3, 1, 0}); }, {image});
  CheckTwice([](TensorList x) { return replication_pad3d(x[0], {1, 0, 2, 1, 0, 1}); }, {space});
  for (const char* mode : {"constant", "reflect", "replicate"}) {
    CheckTwice([=](TensorList x) { return pad(x[0], {2, -1, 1, 0}, mode); }, {image});
  }
  CheckTwice([](TensorList x) { return pad(x[0], {2, 0, 1, 3}, "circular"); }, {image});
}

}  // namespace
}  // namespace sy
