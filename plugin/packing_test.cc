// Packings of plugins: tensors that a plugin's operators make and understand.

#include "switchyard/dispatcher/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

class PackingTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin(PluginPath("packing")); }
  void TearDown() override { EXPECT_EQ(unload_plugin("packing").text, "unloaded"); }
};

TEST_F(PackingTest, APluginComputesWithWhatItHasPacked) {
  const Tensor x = tensor({{1.f, 2.f}, {3.f, 4.f}}), w = tensor({{127.f, 254.f}, {-127.f, 2.f}});
  const PackingCounts before = CountPackings();
  const Tensor p = Pack(w, "packing::int8");
  EXPECT_EQ(PartsOf(p)[0].dtype(), DType::kInt8);
  EXPECT_EQ(PartsOf(p)[1].at<float>(1), 2);
  EXPECT_TRUE(
      call("equal", call("mm", x, p).tensor(), call("mm", x, w).tensor()).scalar().To<bool>());
  EXPECT_EQ(CountPackings().served - before.served, 1);
  EXPECT_TRUE(
      call("equal", call("add", x, p).tensor(), call("add", x, w).tensor()).scalar().To<bool>());
  EXPECT_EQ(CountPackings().unpacked - before.unpacked, 1);
}

TEST_F(PackingTest, UnloadingWaitsForPackedTensors) {
  Tensor p = Pack(tensor({{1.f}}), "packing::int8");
  EXPECT_THAT(unload_plugin("packing").text, HasSubstr("1 tensor"));
  EXPECT_EQ(Unpack(p).at<float>(0, 0), 1);  // all is as it was
  p = Tensor();
  EXPECT_EQ(unload_plugin("packing").text, "unloaded");
  EXPECT_TRUE(Packings().empty());
  load_plugin(PluginPath("packing"));
}

TEST_F(PackingTest, WhatThePackingRefusesIsAnError) {
  const Outcome o = try_call("packing::quantize", tensor({1.f}));
  EXPECT_THAT(o.message, HasSubstr("x must be a matrix"));
  EXPECT_THROW(Pack(tensor({1.f}), "packing::int8"), Error);
}

}  // namespace
}  // namespace sy
