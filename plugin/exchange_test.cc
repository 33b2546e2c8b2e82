// DLPack and plugins: handles that are no addresses, streams of consumers, unloading.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/dlpack.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/plugin/testing.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace sy {
namespace {

using testing::PluginPath;

std::string Here(const Tensor& t) { return ToString(ToHost(t)); }

TEST(ExchangeTest, HandlesGoOutAndComeIn) {
  load_plugin(PluginPath("opaque"));
  {
    const Device opaque = ParseDevice("opaque");
    const Tensor a = FromHost(tensor({1., 2., 3., 4.}), opaque);
    DLManagedTensorVersioned* out = ToDlpack(call("slice", a, 0, 2, 4).tensor());
    EXPECT_NE(out->dl_tensor.data, a.data());  // what the driver calls it
    EXPECT_EQ(out->dl_tensor.byte_offset, 8u);
    EXPECT_EQ(int{out->dl_tensor.device.device_type}, 12);  // kDLExtDev
    const Tensor b = FromDlpack(out);
    EXPECT_EQ(b.device(), a.device());
    EXPECT_EQ(Here(call("add", b, b).tensor()), "tensor([6., 8.])");
  }
  EXPECT_EQ(unload_plugin("opaque").text, "unloaded");
}

TEST(ExchangeTest, AddressesGoOutAndComeIn) {
  load_plugin(PluginPath("queued"));
  {
    const Tensor a = FromHost(tensor({1., 2., 3., 4.}), ParseDevice("queued"));
    const Tensor tail = call("slice", a, 0, 2, 4).take();
    const Tensor b = FromDlpack(ToDlpack(tail));
    EXPECT_EQ(b.data(), tail.data());
    call("fill_", b, 9.);
    EXPECT_EQ(Here(a), "tensor([1., 2., 9., 9.])");
  }
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
}

TEST(ExchangeTest, ExportThatOutlivesItsTensorIsBusy) {
  load_plugin(PluginPath("queued"));
  DLManagedTensorVersioned* out =
      ToDlpack(Tensor::Empty({2}, DType::kFloat32, ParseDevice("queued")));
  const UnloadAnswer a = unload_plugin("queued");
  EXPECT_EQ(a.text, "busy: 1 tensor (8 bytes), 1 DLPack export");
  EXPECT_EQ(a.exports, 1);
  std::thread([out] { out->deleter(out); }).join();
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
}

TEST(ExchangeTest, ConsumersStreamWaitsForTheProducers) {
  load_plugin(PluginPath("queued"));
  {
    const Device queued = ParseDevice("queued");
    const Stream consumer = Stream::New(queued);
    const Tensor x = Tensor::Empty({1}, DType::kFloat32, queued);
    call("queued::hold", x);
    const Event passed = CurrentStream(queued).RecordEvent();
    DLManagedTensorVersioned* out = ToDlpack(x, consumer);  // returns at once
    EXPECT_FALSE(consumer.Query());
    call("queued::open", tensor({1.}));
    consumer.Synchronize();
    EXPECT_TRUE(passed.Query());
    out->deleter(out);
  }
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
}

TEST(ExchangeTest, ImportedMemoryGoesBackWhenItsWorkIsDone) {
  load_plugin(PluginPath("queued"));
  {
    const Device queued = ParseDevice("queued");
    Tensor x = FromDlpack(ToDlpack(Tensor::Empty({1}, DType::kFloat32, queued)));
    EXPECT_EQ(LiveDlpackExports(queued.type), 1);
    call("queued::hold", x);
    const Event passed = CurrentStream(queued).RecordEvent();
    std::thread opener([] { call("queued::open", tensor({1.})); });
    x = Tensor();
    EXPECT_TRUE(passed.Query());
    EXPECT_EQ(LiveDlpackExports(queued.type), 0);
    opener.join();
  }
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
}

TEST(ExchangeTest, ImportedMemoryIsNotResized) {
  load_plugin(PluginPath("queued"));
  {
    const Device queued = ParseDevice("queued");
    const Tensor x = FromDlpack(ToDlpack(Tensor::Empty({1}, DType::kFloat32, queued)));
    EXPECT_THROW(internal::Resize(x.impl(), std::vector<int64_t>{8}, std::vector<int64_t>{1}),
                 Error);
  }
  EXPECT_EQ(unload_plugin("queued").text, "unloaded");
}

}  // namespace
}  // namespace sy
