// Gradients of layers against differences.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/gradients/testing.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

TEST(NnGradients, Convolutions) {
  CheckTwice([](TensorList x) { return conv1d(x[0], x[1], x[2]); },
             {Numbers({1, 2, 5}), Numbers({3, 2, 2}), Numbers({3})});
  CheckTwice([](TensorList x) { return conv1d(x[0], x[1], x[2], 2, 1); },
             {ComplexNumbers({1, 2, 5}), ComplexNumbers({2, 2, 3}), ComplexNumbers({2})});
  CheckTwice([](TensorList x) { return conv_transpose1d(x[0], x[1], x[2]); },
             {ComplexNumbers({1, 2, 3}), ComplexNumbers({2, 2, 2}), ComplexNumbers({2})});
  CheckTwice([](TensorList x) { return conv2d(x[0], x[1]); },
             {ComplexNumbers({1, 2, 3, 3}), ComplexNumbers({1, 2, 2, 2})});
}

TEST(NnGradients, Norms) {
  CheckTwice([](TensorList x) { return layer_norm(x[0], {3}, x[1], x[2]); },
             {Numbers({2, 3}), Numbers({3}, 2), Numbers({3}, 1)});
  CheckTwice([](TensorList x) { return layer_norm(x[0], {2, 3}); }, {Numbers({2, 3})});
  CheckTwice([](TensorList x) { return group_norm(x[0], 2, x[1], x[2]); },
             {Numbers({2, 4, 2}), Numbers({4}, 2), Numbers({4}, 1)});
  CheckTwice([](TensorList x) { return group_norm(x[0], 1); }, {Numbers({2, 2, 2})});
  CheckTwice([](TensorList x) { return rms_norm(x[0], {3}, x[1]); },
             {Numbers({2, 3}), Numbers({3}, 2)});
  const Tensor mean = Numbers({2}), variance = add(sin(Numbers({2})), 2);
  for (const bool training : {true, false}) {
    CheckTwice(
        [&](TensorList x) {
          return std::get<0>(native_batch_norm(x[0], x[1], x[2], clone(mean), clone(variance),
                                               training, 0.1, 1e-5));
        },
        {Numbers({3, 2, 2}), Numbers({2}, 2), Numbers({2}, 1)});
  }
  CheckTwice(
      [](TensorList x) {
        return std::get<0>(_native_batch_norm_legit(x[0], Tensor(), Tensor(), true, 0.1, 1e-5));
      },
      {Numbers({3, 2})});
}

// Statistics that the operator writes are no tensors that were written behind its back.
TEST(NnGradients, RunningStatisticsMayBeWritten) {
  const Tensor mean = zeros({2}, DType::kFloat64), variance = ones({2}, DType::kFloat64);
  CheckOnce(
      [&](TensorList x) {
        return std::get<0>(
            _native_batch_norm_legit(x[0], Tensor(), Tensor(), mean, variance, true, 0.1, 1e-5));
      },
      {Numbers({3, 2})});
}

TEST(NnGradients, Pooling) {
  const Tensor line = Numbers({1, 2, 7}), image = Numbers({1, 2, 5, 4}),
               space = Numbers({1, 1, 3, 4, 3});
  CheckTwice([](TensorList x) { return avg_pool1d(x[0], 3, 2, 1); }, {line});
  CheckTwice(
      [](TensorList x) {
        return avg_pool2d(x[0], {2, 2}, {2, 1}, {1, 0}, true, false);
      },
      {image});
  CheckTwice(
      [](TensorList x) {
        return avg_pool3d(x[0], {2, 2, 2}, {}, 0, false, true, 3);
      },
      {space});
  CheckTwice([](TensorList x) { return adaptive_avg_pool1d(x[0], 3); }, {line});
  CheckTwice([](TensorList x) { return adaptive_avg_pool2d(x[0], {2, 3}); }, {image});
  CheckTwice([](TensorList x) { return adaptive_avg_pool3d(x[0], {2, 3, 1}); }, {space});
  CheckTwice([](TensorList x) { return max_pool1d(x[0], 3, 2, 1); }, {line});
  CheckTwice([](TensorList x) { return max_pool2d(x[0], {2, 2}); }, {image});
  CheckTwice([](TensorList x) { return max_pool3d(x[0], {2, 2, 2}, {1, 2, 1}); }, {space});
  CheckTwice([](TensorList x) { return std::get<0>(adaptive_max_pool1d(x[0], 3)); }, {line});
  CheckTwice([](TensorList x) { return std::get<0>(adaptive_max_pool2d(x[0], {2, 3})); }, {image});
  CheckTwice(
      [](TensorList x) {
        return std::get<0>(adaptive_max_pool3d(x[0], {2, 3, 1}));
      },
      {space});
  const auto [pooled, places] = max_pool2d_with_indices(image, {2, 2});
  CheckTwice([&, at = places](TensorList x) { return max_unpool2d(x[0], at, {5, 4}); }, {pooled});
}

TEST(NnGradients, FormsForOneDimTakeOneNumber) {
  const Tensor line = requires_grad_(Numbers({1, 2, 7}));
  const IntSpan none;
  EXPECT_THROW(adaptive_avg_pool1d(line, none), Error);
  EXPECT_THROW(adaptive_max_pool1d(line, none), Error);
  EXPECT_THROW(avg_pool1d(line, none), Error);
  EXPECT_THROW(max_pool1d(line, none), Error);
}

TEST(NnGradients, Losses) {
  const Tensor x = Numbers({2, 3}), t = Numbers({2, 3}, 2), weight = exp(Numbers({2, 3}, 1));
  for (const int64_t reduction : {0, 1, 2}) {
    CheckTwice([=](TensorList in) { return huber_loss(in[0], in[1], reduction, 0.6); }, {x, t});
    CheckTwice([=](TensorList in) { return smooth_l1_loss(in[0], in[1], reduction, 0.6); }, {x, t});
    CheckTwice([=](TensorList in) { return smooth_l1_loss(in[0], in[1], reduction, 0.); }, {x, t});
    CheckTwice([=](TensorList in) { return soft_margin_loss(in[0], in[1], reduction); },
               {x, sgn(t)});
    CheckTwice(
        [=](TensorList in) {
          return binary_cross_entropy(sigmoid(in[0]), sigmoid(in[1]), weight, reduction);
        },
        {x, t});
  }
  const Tensor targets = tensor({{1, 2}, {2, 1}});
  CheckOnce(
      [&](TensorList in) {
        return ctc_loss(log_softmax(in[0], 2), targets, {4, 3}, {2, 1}, 0, 0);
      },
      {Numbers({4, 2, 3})});
}

TEST(NnGradients, Embeddings) {
  const Tensor at = tensor({{1, 0}, {2, 1}}), flat = tensor({1, 0, 2}), first = tensor({0, 2});
  CheckTwice([&](TensorList x) { return embedding(x[0], at); }, {Numbers({4, 2})});
  CheckTwice([&](TensorList x) { return embedding(x[0], at, 3); }, {Numbers({4, 2})});
  CheckOnce([&](TensorList x) { return std::get<0>(embedding_bag(x[0], flat, first)); },
            {Numbers({4, 2})});
}

TEST(NnGradients, Samplers) {
  for (const int64_t padding : {0, 1, 2}) {
    CheckOnce([=](TensorList x) { return grid_sampler_2d(x[0], x[1], 0, padding, false); },
              {Numbers({1, 2, 3, 4}), Numbers({1, 2, 2, 2}, 2)});
    CheckOnce([=](TensorList x) { return grid_sampler_3d(x[0], x[1], 0, padding, true); },
              {Numbers({1, 1, 2, 3, 2}), Numbers({1, 1, 2, 2, 3}, 2)});
  }
}

TEST(NnGradients, Distances) {
  for (const double p : {1., 2., 3.}) {
    CheckOnce([=](TensorList x) { return cdist(x[0], x[1], p); },
              {Numbers({3, 2}), Numbers({2, 2}, 2)});
    CheckOnce([=](TensorList x) { return cdist(x[0], x[1], p); },
              {Numbers({2, 3, 2}), Numbers({1, 2, 2}, 2)});
    CheckOnce([=](TensorList x) { return pdist(x[0], p); }, {Numbers({4, 2})});
  }
}

// A mean is over what both sides broadcast to, on either side.
TEST(NnGradients, LossesThatBroadcast) {
  for (const int64_t reduction : {0, 1, 2}) {
    for (const auto& sizes : std::vector<std::vector<int64_t>>{{2, 1}, {3}, {}}) {
      const std::vector<Tensor> in = {Numbers({2, 3}), Numbers(sizes, 1)};
      for (const bool swapped : {false, true}) {
        const size_t i = swapped ? 1 : 0;
        CheckTwice([=](TensorList x) { return mse_loss(x[i], x[1 - i], reduction); }, in);
        CheckTwice([=](TensorList x) { return huber_loss(x[i], x[1 - i], reduction, 0.7); }, in);
        CheckTwice([=](TensorList x) { return smooth_l1_loss(x[i], x[1 - i], reduction, 0.7); },
                   in);
      }
    }
  }
}

// Gradients pass rounding, and not limits: 5.6 and -9 are beyond what 4 bits of 0.5 hold.
TEST(NnGradients, FakeQuantisationPassesGradientsOn) {
  const Tensor step = full({}, 0.5), zero = zeros({}, DType::kInt32);
  const Tensor steps = full({1}, 0.5), zeros_of = zeros({1}, DType::kInt32);
  const std::vector<TestedFunction> all = {
      [](TensorList x) { return fake_quantize_per_tensor_affine(x[0], 0.5, 0, -8, 7); },
      [&](TensorList x) { return fake_quantize_per_tensor_affine(x[0], step, zero, -8, 7); },
      [&](TensorList x) {
        return fake_quantize_per_channel_affine(x[0], steps, zeros_of, 0, -8, 7);
      },
      [](TensorList x) {
        return std::get<0>(fake_quantize_per_tensor_affine_cachemask(x[0], 0.5, 0, -8, 7));
      }};
  for (const TestedFunction& f : all) {
    const Tensor x = requires_grad_(tensor({{0.3F, 3.4F, 5.6F, -9.0F, -4.1F}}));
    const Tensor y = f(std::vector{x});
    EXPECT_TRUE(equal(detach(y), tensor({{0.5F, 3.5F, 3.5F, -4.0F, -4.0F}})));
    backward(sum(mul(y, 3)));
    EXPECT_TRUE(equal(grad_of(x), tensor({{3.0F, 3.0F, 0.0F, 0.0F, 3.0F}})));
  }
}

// PyTorch has no gradients of these; that they are asked for is not passed over.
TEST(NnGradients, WeightsOfLossesRefuse) {
  const Tensor x = requires_grad_(Numbers({2, 3})), target = tensor(std::vector<int64_t>{0, 2});
  const Tensor weight = requires_grad_(Numbers({3}, 2)), p = sigmoid(Numbers({3}));
  for (const Tensor& loss :
       {std::get<0>(nll_loss_forward(x, target, weight, 1, -100)),
        multi_margin_loss(x, target, 1, 1, weight), binary_cross_entropy(p, detach(p), weight)}) {
    std::string said;
    try {
      backward(sum(loss));
    } catch (const Error& e) {
      said = e.what();
    }
    EXPECT_NE(said.find("has no gradient for its argument 'weight'"), std::string::npos) << said;
  }
}

// The shapes of what stands for an operator where it is recorded.
TEST(NnGradients, RecordedNormsCompareSizes) {
  const Tensor x = requires_grad_(Numbers({2, 3}));
  EXPECT_THROW(rms_norm(x, {4}), Error);
  EXPECT_THROW(rms_norm(x, {}), Error);
  EXPECT_THROW(rms_norm(x, {3}, ones({1}, DType::kFloat64)), Error);
  EXPECT_THROW(layer_norm(x, {4}), Error);
  EXPECT_THROW(group_norm(x, 2), Error);
}

// Two heads of queries for one of keys and values.
TEST(NnGradients, GroupedAttention) {
  CheckTwice(
      [](TensorList x) {
        return scaled_dot_product_attention(x[0], x[1], x[2], Tensor(), 0, false, std::nullopt,
                                            true);
      },
      {Numbers({1, 2, 3, 2}), Numbers({1, 1, 4, 2}, 1), Numbers({1, 1, 4, 2}, 2)});
}

TEST(NnGradients, Attention) {
  const std::vector<Tensor> in = {Numbers({1, 3, 2}), Numbers({1, 4, 2}, 1), Numbers({1, 4, 2}, 2)};
  for (const bool causal : {false, true}) {
    CheckTwice(
        [=](TensorList x) {
          return scaled_dot_product_attention(x[0], x[1], x[2], Tensor(), 0, causal);
        },
        in);
  }
}

// A mask of numbers is a bias that may be learned.
TEST(NnGradients, AttentionMasks) {
  for (const auto& sizes :
       std::vector<std::vector<int64_t>>{{3, 4}, {1, 4}, {2, 1, 3, 4}, {2, 2, 3, 4}}) {
    CheckTwice(
        [](TensorList x) {
          return scaled_dot_product_attention(x[0], x[1], x[2], x[3], 0, false, 0.6);
        },
        {Numbers({2, 2, 3, 2}), Numbers({2, 2, 4, 2}, 1), Numbers({2, 2, 4, 2}, 2),
         Numbers(sizes, 3)});
  }
  CheckTwice(
      [](TensorList x) { return scaled_dot_product_attention(x[0], x[1], x[2], x[3]); },
      {Numbers({2, 3, 2}), Numbers({2, 4, 2}, 1), Numbers({2, 4, 2}, 2), Numbers({2, 3, 4}, 3)});
  // Of the mask alone, and with two heads of queries for one of keys.
  const Tensor q = Numbers({1, 2, 3, 2}), k = Numbers({1, 1, 4, 2}, 1);
  CheckOnce(
      [&](TensorList x) {
        return scaled_dot_product_attention(q, k, k, x[0], 0, false, std::nullopt, true);
      },
      {Numbers({3, 4})});
}

TEST(NnGradients, SmoothLossesWithoutWidthAreFlatWhereSidesAreEqual) {
  const Tensor x = requires_grad_(tensor({1., 2., 3.})), y = tensor({1., 3., 2.});
  for (const bool create : {false, true}) {
    const Tensor loss = smooth_l1_loss(x, y, 2, 0);
    const Tensor g = grad({&loss, 1}, {&x, 1}, {}, {.create_graph = create})[0];
    EXPECT_TRUE(equal(g, tensor({0., -1., 1.})));
  }
}

// Where an operator is decomposed: as where nothing is recorded.
TEST(NnGradients, WhatIsWrongWithArgumentsIsSaidAlike) {
  using F = std::function<void(const Tensor&)>;
  const Tensor m = Numbers({2, 4, 3}), three = Numbers({3});
  const std::vector<std::pair<Tensor, F>> calls = {
      {m, [](const Tensor& x) { outer(x, x); }},
      {three, [&](const Tensor& x) { ger(x, m); }},
      {m, [](const Tensor& x) { huber_loss_backward(x, x, x, 5, 1); }},
      {m, [](const Tensor& x) { huber_loss_backward(x, x, x, 0, 0); }},
      {m, [](const Tensor& x) { smooth_l1_loss_backward(x, x, x, 0, -1); }},
      {m, [](const Tensor& x) { smooth_l1_loss_backward(x, x, x, -1, 1); }},
      {m, [](const Tensor& x) { soft_margin_loss_backward(x, x, x, 3); }},
      {m, [](const Tensor& x) { binary_cross_entropy_backward(x, x, x, {}, 3); }},
      {m,
       [](const Tensor& x) {
         pad(x, {1, 1}, "replicate", 2.0);
       }},
      {m, [](const Tensor& x) { group_norm(x, 0); }},
      {m,
       [](const Tensor& x) {
         const Tensor s = zeros({2, 2}, DType::kFloat64);
         native_group_norm_backward(x, x, s, s, {}, 2, 4, 3, 0, std::array{true, false, false});
       }},
      {m,
       [](const Tensor& x) {
         const Tensor s = zeros({3}, DType::kFloat64);
         native_group_norm_backward(x, x, s, s, {}, 2, 4, 3, 2, std::array{true, false, false});
       }},
  };
  for (size_t i = 0; i < calls.size(); ++i) {
    const auto& [x, f] = calls[i];
    const std::string plain = ErrorOf([&, &x = x, &f = f] { f(x); });
    EXPECT_NE(plain.find("(): "), std::string::npos) << i;
    EXPECT_EQ(ErrorOf([&, &x = x, &f = f] { f(requires_grad_(clone(x))); }), plain) << i;
  }
}

}  // namespace
}  // namespace sy
