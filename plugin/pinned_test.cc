// Pinned host memory: who offers it, what makes it, and blocks that are used again.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using ::testing::HasSubstr;
using testing::PluginPath;

class PinnedTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin(PluginPath("queued")); }
  void TearDown() override { EXPECT_EQ(unload_plugin("queued").text, "unloaded"); }
  static Device Queued() { return ParseDevice("queued"); }
  static bool IsPinnedBy(const Tensor& t, Device device) {
    return call("is_pinned", t, kw("device", device)).scalar().To<bool>();
  }
  static Tensor Pinned(int64_t bytes) { return EmptyPinned({bytes}, DType::kUInt8, Queued()); }
  static MemoryStats Stats() { return GetPinnedMemoryStats(Queued().type); }
};

constexpr int64_t kFour[] = {4};
const IntSpan kSizes(kFour);

TEST_F(PinnedTest, FactoriesMakeIt) {
  const auto pin = kw("pin_memory", true);
  for (const char* op : {"empty", "zeros", "ones", "rand", "randn"})
    EXPECT_TRUE(IsPinned(call(op, kSizes, pin).tensor())) << op;
  EXPECT_EQ(ToString(call("zeros", kSizes, pin).tensor()), "tensor([0., 0., 0., 0.])");
  EXPECT_EQ(ToString(call("full", kSizes, 3., pin).tensor()), "tensor([3., 3., 3., 3.])");
  const Tensor range = call("arange", 3, pin).take();
  EXPECT_TRUE(IsPinned(range));
  EXPECT_EQ(ToString(range), "tensor([0, 1, 2])");
  EXPECT_TRUE(IsPinned(call("linspace", 0, 1, 5, pin).tensor()));
  EXPECT_TRUE(IsPinned(call("randperm", 5, pin).tensor()));
  EXPECT_TRUE(IsPinned(call("eye", 3, pin).tensor()));
  EXPECT_TRUE(IsPinned(call("tril_indices", 3, 3, pin).tensor()));
  EXPECT_TRUE(IsPinned(call("scalar_tensor", 3, pin).tensor()));
}

TEST_F(PinnedTest, FactoriesLikeATensorMakeIt) {
  const Tensor x = call("transpose", tensor({{1., 2.}, {3., 4.}}), 0, 1).take();
  const auto pin = kw("pin_memory", true);
  for (const char* op : {"empty_like", "zeros_like", "ones_like", "rand_like"}) {
    const Tensor t = call(op, x, pin).take();
    EXPECT_TRUE(IsPinned(t)) << op;
    EXPECT_EQ(t.strides()[0], 1) << op;
  }
  EXPECT_TRUE(IsPinned(call("new_zeros", x, kSizes, pin).tensor()));
  EXPECT_TRUE(IsPinned(call("new_empty_strided", x, kSizes, kSizes, pin).tensor()));
  EXPECT_FALSE(IsPinned(call("ones_like", x).tensor()));
}

TEST_F(PinnedTest, OtherDevicesThanTheHostRefuse) {
  EXPECT_THAT(try_call("empty", kSizes, kw("device", Queued()), kw("pin_memory", true)).message,
              HasSubstr("empty.memory_format(): only tensors on cpu can be in pinned memory, got "
                        "device queued"));
  // As in PyTorch: there is no memory to pin.
  const Device meta = ParseDevice("meta");
  EXPECT_FALSE(
      IsPinned(call("empty", kSizes, kw("device", meta), kw("pin_memory", true)).tensor()));
}

TEST_F(PinnedTest, OperatorsAskAndCopy) {
  const Tensor x = tensor({1., 2.});
  EXPECT_FALSE(call("is_pinned", x).scalar().To<bool>());
  const Tensor y = call("pin_memory", x).take();
  EXPECT_TRUE(call("is_pinned", y).scalar().To<bool>());
  EXPECT_EQ(ToString(y), "tensor([1., 2.])");
  EXPECT_EQ(call("pin_memory", y).tensor().data(), y.data());  // itself
  EXPECT_NE(call("_pin_memory", y).tensor().data(), y.data());
  const Tensor out = Tensor::Empty({0}, x.dtype());
  call("_pin_memory.out", x, kw("out", out));
  EXPECT_EQ(ToString(out), "tensor([1., 2.])");
  EXPECT_TRUE(IsPinnedBy(y, Queued()));
  EXPECT_FALSE(IsPinnedBy(y, {kHost}));
  EXPECT_FALSE(IsPinned(FromHost(x, Queued())));
}

TEST_F(PinnedTest, ErrorsNameTheOperatorAndTheDevice) {
  EXPECT_THAT(try_call("pin_memory", FromHost(tensor({1.}), Queued())).message,
              HasSubstr("pin_memory(): pinning a tensor: expected one on cpu, got float32[1] on "));
  EXPECT_THAT(try_call("pin_memory", tensor({1.}), kw("device", ParseDevice("meta"))).message,
              HasSubstr("pinned memory of meta: the device does not offer any"));
}

TEST(NoPinnedMemoryTest, SaysSo) {
  EXPECT_THAT(try_call("zeros", kSizes, kw("pin_memory", true)).message,
              HasSubstr("empty.memory_format(): pinning needs a device that offers pinned memory; "
                        "there is none such among "));
  EXPECT_EQ(try_call("pin_memory", tensor({1.})).code, ErrorCode::kNotImplemented);
  load_plugin(PluginPath("fault"));  // a device without
  EXPECT_THAT(try_call("pin_memory", tensor({1.})).message, HasSubstr("fault"));
  EXPECT_EQ(unload_plugin("fault").text, "unloaded");
}

// --- Blocks

TEST_F(PinnedTest, AFreedBlockIsUsedAgain) {
  void* first = Pinned(100'000).data();
  EXPECT_EQ(Pinned(99'000).data(), first);
  EXPECT_EQ(Stats().allocations, Stats().frees);
}

TEST_F(PinnedTest, KeptBlocksAreNoMoreThanWasInUse) {
  Pinned(1 << 20);
  EXPECT_EQ(Stats().allocated_bytes, 0);
  EXPECT_EQ(Stats().reserved_bytes, 1 << 20);
  Pinned(1 << 19);  // given back at once: with the one kept it is more than there ever was
  EXPECT_EQ(Stats().reserved_bytes, 1 << 20);
  EXPECT_EQ(Stats().peak_bytes, 1 << 20);
}

TEST_F(PinnedTest, EmptyingGivesKeptBlocksBack) {
  const Tensor alive = Pinned(1 << 20);
  Pinned(1 << 20);
  EXPECT_EQ(Stats().reserved_bytes, 2 << 20);
  EmptyPinnedCache(Queued().type);
  EXPECT_EQ(Stats().reserved_bytes, 1 << 20);
}

TEST_F(PinnedTest, KeptBlocksDoNotKeepThePluginButTensorsDo) {
  Tensor t = Pinned(1 << 20);
  EXPECT_THAT(unload_plugin("queued").text, HasSubstr("busy: 1 tensor"));
  t = Tensor();
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
  EXPECT_EQ(GetPinnedMemoryStats(FindDeviceType("queued")).reserved_bytes, 0);
  load_plugin(PluginPath("queued"));
  EXPECT_EQ(Stats().reserved_bytes, 0);
}

TEST_F(PinnedTest, ABlockInUseByACopyIsNotGivenToOthers) {
  const Tensor there = Tensor::Empty({1 << 20}, DType::kUInt8, Queued());
  call("queued::hold", Tensor::Empty({1}, DType::kFloat32, Queued()));
  void* first = nullptr;
  {
    const Tensor from = Pinned(1 << 20);
    first = from.data();
    call("copy_", there, from, true);
  }
  EXPECT_NE(Pinned(1 << 20).data(), first);
  call("queued::open", tensor({1.}));
}

TEST_F(PinnedTest, TooMuchIsOutOfMemory) {
  try {
    Pinned(int64_t{1} << 60);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::kOutOfMemory) << e.message();
  }
}

}  // namespace
}  // namespace sy
