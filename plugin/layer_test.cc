// Layers of plugins: what they see of calls, and what becomes of them when the plugin goes.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/layers.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

class PluginLayerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    load_plugin(PluginPath("layer"));
    layer = FindLayer("layer::mark");
    ASSERT_GE(layer, 0);
  }
  void TearDown() override { EXPECT_EQ(unload_plugin("layer").text, "unloaded"); }

  LayerId layer = -1;
  const Tensor x = tensor({1.f, 4.f}), y = tensor({3.f, 2.f});
};

float First(const Tensor& t) { return t.at<float>(0); }

TEST_F(PluginLayerTest, IsOnWhereTheProgramSays) {
  EXPECT_EQ(First(call("sub", x, y)), -2);
  {
    const LayerScope on(layer);
    EXPECT_EQ(First(call("sub", x, y)), 2);
    EXPECT_EQ(First(call("add", x, y)), 4);
    const LayerExclusion off(layer);
    EXPECT_EQ(First(call("sub", x, y)), -2);
  }
  EXPECT_EQ(First(call("sub", x, y)), -2);
}

TEST_F(PluginLayerTest, MarksWhatIsComputedFromMarkedTensors) {
  AttachLayer(layer, x);
  const Tensor sum = call("add", x, y);
  EXPECT_TRUE(HasLayer(layer, sum));
  EXPECT_TRUE(HasLayer(layer, call("neg", sum)));
  EXPECT_FALSE(HasLayer(layer, call("neg", y)));
  const Tensor max = call("max", sum, 0)[0].tensor();  // of several results
  EXPECT_TRUE(HasLayer(layer, max));
  EXPECT_EQ(call("item", max).scalar().To<float>(), 6);  // one that is no tensor
  call("add_", y, sum);
  EXPECT_TRUE(HasLayer(layer, y));
}

TEST_F(PluginLayerTest, GivesResultsOfItsOwn) {
  const LayerScope on(layer);
  EXPECT_EQ(call("square", x).tensor().at<float>(1), 16);
}

TEST_F(PluginLayerTest, WhatItThrowsNamesIt) {
  const LayerScope on(layer);
  const Outcome o = try_call("tanh", x);
  EXPECT_EQ(o.code, ErrorCode::kNotImplemented);
  EXPECT_THAT(o.message, HasSubstr("tanh(): layer 'layer::mark': not with this layer"));
}

TEST_F(PluginLayerTest, WhatKernelsThrowComesAsItIs) {
  const Outcome plain = try_call("add", x, tensor({1.f, 2.f, 3.f}));
  const LayerScope on(layer);
  const Outcome o = try_call("add", x, tensor({1.f, 2.f, 3.f}));
  EXPECT_EQ(o.code, plain.code);
  EXPECT_EQ(o.message, plain.message);
}

TEST_F(PluginLayerTest, ArgumentsThatDoNotFitAreErrors) {
  const LayerScope on(layer);
  EXPECT_THAT(try_call("sin", x).message, HasSubstr("expected 1 arguments, got 0"));
  EXPECT_THAT(try_call("cos", x).message, HasSubstr("argument 'self' must be Tensor"));
}

TEST_F(PluginLayerTest, AMissingResultIsAnError) {
  const LayerScope on(layer);
  EXPECT_THAT(try_call("relu", x).message, HasSubstr("layer 'layer::mark' has not given result 0"));
}

TEST_F(PluginLayerTest, ATensorForANumberIsAnError) {
  const LayerScope on(layer);
  EXPECT_THAT(try_call("equal", x, x).message,
              HasSubstr("result 0 is not one that a layer may give"));
}

TEST_F(PluginLayerTest, CallsGoThroughWhileThePluginIsNotLoaded) {
  AttachLayer(layer, x);
  EXPECT_EQ(unload_plugin("layer").text, "unloaded");
  EXPECT_EQ(First(call("sub", x, y)), -2);
  load_plugin(PluginPath("layer"));
  EXPECT_EQ(FindLayer("layer::mark"), layer);
  EXPECT_EQ(First(call("sub", x, y)), 2);
}

}  // namespace
}  // namespace sy
