// What kernels of plugins keep between calls, and tensors that are constant.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "switchyard/core/constant.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

class StateTest : public ::testing::Test {
 protected:
  void SetUp() override {
    load_plugin(PluginPath("rules"));
    before_ = Count(Tensor::Empty({9, 9, 9}, DType::kFloat32), Changing())[0];
  }
  void TearDown() override { EXPECT_EQ(unload_plugin("rules").text, "unloaded"); }
  static Tensor Changing() { return Tensor::Empty({2}, DType::kFloat32); }
  // How often something was made, and how much of it is alive.
  static std::vector<int64_t> Count(const Tensor& x, const Tensor& w) {
    const Tensor answer = call("rules::packed", x, w).tensor();
    return {answer.data<int64_t>()[0], answer.data<int64_t>()[1]};
  }
  // Since the test began.
  int64_t Made(const Tensor& x, const Tensor& w) const { return Count(x, w)[0] - before_; }
  int64_t before_ = 0;
};

Tensor Small(int64_t n) { return Tensor::Empty({n}, DType::kFloat32); }

TEST_F(StateTest, IsMadeOnceForAConstant) {
  const Tensor w = Tensor::Empty({100}, DType::kFloat32);
  freeze(w);
  EXPECT_EQ(Made(Small(2), w), 1);
  EXPECT_EQ(Made(Small(2), w), 1);
  EXPECT_EQ(Made(Small(3), w), 2) << "another shape";
  EXPECT_EQ(Made(Small(2), w.AsStrided({50}, {1}, 0)), 3) << "another view of the constant";
  EXPECT_EQ(Made(Small(2), w.AsStrided({50}, {1}, 0)), 3);
}

TEST_F(StateTest, GoesWithItsConstant) {
  const int64_t alive = Count(Small(1), Changing())[1];
  for (const int64_t size : {1, 100'000}) {  // in the tensor's block, and outside
    const Tensor w = Tensor::Empty({size}, DType::kFloat32);
    freeze(w);
    EXPECT_EQ(Count(Small(2), w)[1], alive + 1);
  }
  EXPECT_EQ(Count(Small(1), Changing())[1], alive);
}

TEST_F(StateTest, WithoutConstantsIsKeptByShape) {
  EXPECT_EQ(Made(Small(5), Changing()), 1);
  EXPECT_EQ(Made(Small(5), Changing()), 1);
  EXPECT_EQ(Made(Small(6), Changing()), 2);
}

TEST_F(StateTest, WhatIsUsedLeastGoesWhereThereIsMuch) {
  int64_t alive = 0;
  for (int64_t n = 1; n <= 1500; ++n) alive = Count(Small(n), Changing())[1];
  // What the last call made stays for it, beside the most that are kept.
  EXPECT_LE(alive, 1024 + 1);
  EXPECT_EQ(Made(Small(1500), Changing()), 1500);
}

TEST_F(StateTest, GoesWithThePlugin) {
  const Tensor w = Tensor::Empty({3}, DType::kFloat32);
  freeze(w);
  Count(Small(2), w);
  EXPECT_EQ(unload_plugin("rules").text, "unloaded");
  load_plugin(PluginPath("rules"));
  EXPECT_EQ(Count(Small(2), w)[1], 1);
}

TEST_F(StateTest, WhatIsNoConstantIsAnError) {
  const Outcome o = try_call("rules::packed", tensor(1.), Changing());
  EXPECT_EQ(o.code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(o.message, HasSubstr("argument 1, which is no constant"));
}

TEST_F(StateTest, ThreadsMakeItOnceOrThrowTheirsAway) {
  const Tensor w = Tensor::Empty({8}, DType::kFloat32);
  freeze(w);
  const int64_t alive = Count(Small(1), Changing())[1];
  std::vector<std::thread> threads;
  threads.reserve(8);
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) Count(Small(4), w);
    });
  }
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(Count(Small(4), w)[1], alive + 1);
}

TEST(Constant, IsNotWritten) {
  const Tensor t = Tensor::Empty({4}, DType::kFloat32);
  call("fill_", t, 1);
  const Tensor view = t.AsStrided({2}, {1}, 1);
  EXPECT_FALSE(is_frozen(t));
  freeze(t);
  EXPECT_TRUE(is_frozen(view));
  for (const Tensor& x : {t, view}) {
    const Outcome o = try_call("fill_", x, 2);
    EXPECT_EQ(o.code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(o.message, HasSubstr("fill_.Scalar(): self is constant"));
  }
  EXPECT_THAT(try_call("neg.out", t, t).message, HasSubstr("out is constant"));
  EXPECT_EQ(try_call("resize_", t, std::vector<int64_t>{100}).code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(t.at<float>(1), 1);
  EXPECT_EQ(call("add", t, t).tensor().at<float>(0), 2);
  EXPECT_FALSE(is_frozen(call("clone", t).tensor()));
  EXPECT_THROW(freeze(Tensor()), Error);
}

}  // namespace
}  // namespace sy
