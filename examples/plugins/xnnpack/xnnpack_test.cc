// float32 on the device as a program uses it. What every operator computes is replayed from
// reference cases and drawn by the conformance kit; here is what these do not see.

#include <thread>
#include <vector>

#include "networks.h"
#include "switchyard/core/accelerator.h"
#include "testing.h"

namespace xnnpack {
namespace {

class XnnpackTest : public PluginTest {};

TEST_F(XnnpackTest, AddsOnTheDevice) {
  const Tensor sum = add(There(tensor({{1., 2.}, {3., 4.}})), There(tensor({10., 20.})), 2);
  EXPECT_EQ(sum.device().str(), "xnnpack:0");
  EXPECT_EQ(Here(sum), "tensor([[21., 42.],\n        [23., 44.]])");
}

TEST_F(XnnpackTest, ConvolvesImagesWhereTheyLie) {
  const Tensor x = ChannelsLast(randn({2, 8, 9, 7})), w = randn({12, 4, 3, 2}), b = randn({12});
  const Tensor y = conv2d(There(x), There(w), There(b), {2, 1}, {1, 2}, {1, 2}, 2);
  EXPECT_LT(Distance(y, conv2d(x, w, b, {2, 1}, {1, 2}, {1, 2}, 2)), 1e-4);
  EXPECT_TRUE(y.is_contiguous(MemoryFormat::kChannelsLast));
}

TEST_F(XnnpackTest, ConvolvesRowMajorImages) {
  const Tensor x = randn({2, 8, 9, 7}), w = randn({8, 1, 3, 3});
  const Tensor y = conv2d(There(x), There(w), {}, {1, 1}, {1, 1}, {1, 1}, 8);
  EXPECT_LT(Distance(y, conv2d(x, w, {}, {1, 1}, {1, 1}, {1, 1}, 8)), 1e-4);
  EXPECT_TRUE(y.is_contiguous());
}

TEST_F(XnnpackTest, FrozenWeightsAreNotReadAgain) {
  const Tensor x = There(randn({1, 4, 6, 6})), w = There(randn({5, 4, 3, 3}));
  const Tensor before = conv2d(x, freeze(w));
  // Who writes a constant by its address breaks the promise: what is packed shows it.
  auto* elements = static_cast<float*>(w.data());
  std::fill_n(elements, w.numel(), 0.0f);
  EXPECT_EQ(Distance(conv2d(x, w), before), 0);
}

TEST_F(XnnpackTest, WeightsThatAreNotFrozenAreReadAtEachCall) {
  const Tensor x = There(randn({3, 8})), w = There(randn({5, 8}));
  linear(x, w);
  zero_(w);
  EXPECT_EQ(Distance(linear(x, w), zeros({3, 5})), 0);
}

TEST_F(XnnpackTest, ViewsOfOneConstantAreWeightsOfTheirOwn) {
  const Tensor both = freeze(There(randn({2, 6, 6}))), x = There(randn({4, 6}));
  const Tensor first = select(both, 0, 0), second = select(both, 0, 1);
  for (int round = 0; round < 2; ++round) {
    for (const Tensor& w : {first, second, t(first)})
      EXPECT_LT(Distance(linear(x, w), linear(Back(x), Back(w))), 1e-5) << round;
  }
  const Tensor filters = freeze(There(randn({2, 3, 4, 2, 2}))), image = There(randn({1, 4, 5, 5}));
  for (int64_t i : {0, 1, 0}) {
    const Tensor w = select(filters, 0, i);
    EXPECT_LT(Distance(conv2d(image, w), conv2d(Back(image), Back(w))), 1e-5) << i;
  }
}

TEST_F(XnnpackTest, AWindowBeyondAnImageIsOnlyOfItsPixels) {
  const Tensor x = randn({1, 3, 7, 5});
  const Tensor y = max_pool2d(There(x), {3, 3}, {2, 2}, {1, 1}, {1, 1}, true);
  EXPECT_EQ(Distance(y, max_pool2d(x, {3, 3}, {2, 2}, {1, 1}, {1, 1}, true)), 0);
}

TEST_F(XnnpackTest, ANaNIsLeftToTheHost) {
  const Tensor x = There(tensor({NAN, 1., -1.}));
  const Outcome o = try_call("relu", x);
  EXPECT_EQ(o.code, ErrorCode::kNotImplemented);
  EXPECT_NE(o.message.find("XNNPACK gives no NaN, and an input is one"), std::string::npos)
      << o.message;
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  EXPECT_EQ(Here(relu(x)), "tensor([nan, 1., 0.])");
}

TEST_F(XnnpackTest, TheFallbackCopiesNothing) {
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  ResetFallbackCounts();
  const Tensor x = There(tensor({0., 1.}));
  EXPECT_EQ(Here(tanh(x)), ToString(tanh(tensor({0., 1.}))));
  for (const FallbackCount& c : FallbackCounts()) EXPECT_EQ(c.bytes, 0) << c.op;
  EXPECT_FALSE(FallbackCounts().empty());
}

TEST_F(XnnpackTest, CallsOfManyThreadsShareAPackedWeight) {
  const Tensor x = randn({16, 32}), w = freeze(There(randn({24, 32})));
  std::vector<Tensor> inputs, expected;
  for (int k = 0; k < 4; ++k) {
    inputs.push_back(mul(x, k + 1));
    expected.push_back(linear(inputs.back(), Back(w)));
    inputs.back() = There(inputs.back());
  }
  std::vector<std::thread> threads;
  std::vector<double> worst(4);
  for (size_t k = 0; k < 4; ++k) {
    threads.emplace_back([&, k] {
      for (int i = 0; i < 200; ++i)
        worst[k] = std::max(worst[k], Distance(linear(inputs[k], w), expected[k]));
    });
  }
  for (std::thread& t : threads) t.join();
  for (double w_k : worst) EXPECT_LT(w_k, 1e-4);
}

TEST_F(XnnpackTest, ThreadsAreAnOption) {
  const Tensor x = randn({1, 16, 64, 64}), w = randn({16, 16, 3, 3});
  const Tensor expected = conv2d(x, w);
  for (const char* n : {"1", "3", "2"}) {
    SetDeviceOption(Xnnpack(), "threads", n);
    EXPECT_EQ(DeviceAttributes(Xnnpack())[0].second, n);
    EXPECT_LT(Distance(conv2d(There(x), There(w)), expected), 1e-4) << n;
  }
  EXPECT_THROW(SetDeviceOption(Xnnpack(), "threads", "0"), Error);
}

TEST_F(XnnpackTest, MemoryThatThereIsNotIsAnErrorWithoutConsequence) {
  EXPECT_THROW(empty({int64_t{1} << 50}, std::nullopt, std::nullopt, Xnnpack()), Error);
  EXPECT_EQ(Here(There(tensor({1.}))), "tensor([1.])");
}

TEST_F(XnnpackTest, AConvolutionalNetworkIsServedWithoutTheHost) {
  const networks::ConvNet net;
  const Tensor image = randn({1, 3, 96, 96});
  const networks::ConvNet there = net.On(Xnnpack());
  EXPECT_LT(Distance(there(There(ChannelsLast(image))), net(image)), 1e-3);
  EXPECT_EQ(DeclinedCalls(), 0);
}

TEST_F(XnnpackTest, AnEncoderLayerFallsBackWhereXnnpackHasNothing) {
  SetFallbackPolicy({.mode = FallbackMode::kAllow});
  const networks::EncoderLayer layer;
  const Tensor x = randn({128, 384});
  EXPECT_LT(Distance(layer.On(Xnnpack())(There(x)), layer(x)), 1e-3);
}

TEST_F(XnnpackTest, WhatIsAliveKeepsThePlugin) {
  const Tensor x = There(tensor({1., 2.}));
  EXPECT_EQ(unload_plugin("xnnpack").text, "busy: 1 tensor (8 bytes)");
}

TEST_F(XnnpackTest, IsUnmappedWhenItIsUnloaded) {
  EXPECT_EQ(Here(abs(There(tensor({-1.})))), "tensor([1.])");
  EXPECT_TRUE(unload_plugin("xnnpack").unmapped);
  SetUp();
}

}  // namespace
}  // namespace xnnpack
