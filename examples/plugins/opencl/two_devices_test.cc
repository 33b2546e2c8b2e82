// Two foreign devices in one process, of which neither knows the other: tensors move between them
// and the host, both ways, and each computes.

#include "testing.h"

namespace opencl {
namespace {

class TwoDevicesTest : public PluginTest {
 protected:
  void SetUp() override {
    PluginTest::SetUp();
    Load("external/skeleton/libskeleton.so");
  }
  void TearDown() override {
    Unload("skeleton");
    PluginTest::TearDown();
  }
};

const char* const kDevices[] = {"cpu", "opencl", "skeleton"};

TEST_F(TwoDevicesTest, TensorsMoveBetweenAllThree) {
  for (const char* from : kDevices) {
    for (const char* to : kDevices) {
      const Tensor moved = To(To(tensor({{1., 2.}, {3., 4.}}), from), to);
      EXPECT_EQ(moved.device().type, ParseDevice(to).type);
      EXPECT_EQ(Here(moved), "tensor([[1., 2.],\n        [3., 4.]])") << from << " to " << to;
    }
  }
}

TEST_F(TwoDevicesTest, ViewsAndConversionsMoveToo) {
  for (const char* from : {"opencl", "skeleton"}) {
    for (const char* to : {"opencl", "skeleton"}) {
      const Tensor source = t(To(tensor({{1., 2., 3.}, {4., 5., 6.}}), from));
      const Tensor target = To(zeros({2, 3}, DType::kInt64), to);
      copy_(t(target), source);
      EXPECT_EQ(Here(target), "tensor([[1, 2, 3],\n        [4, 5, 6]])") << from << " to " << to;
    }
  }
}

TEST_F(TwoDevicesTest, ResultsOfOneAreArgumentsOfTheOther) {
  const Tensor x = tensor({1., 2., 3.});
  const Tensor doubled = add(To(x, "opencl"), To(x, "opencl"));
  const Tensor tripled = add(To(doubled, "skeleton"), To(x, "skeleton"));
  EXPECT_EQ(Here(mul(To(tripled, "opencl"), 10)), "tensor([30., 60., 90.])");
}

TEST_F(TwoDevicesTest, ManyRoundTripsWithoutWaiting) {
  Tensor x = To(zeros({1000}), "opencl");
  for (int i = 0; i < 50; ++i) x = To(add(To(add(x, 1), "skeleton"), 1), "opencl");
  EXPECT_EQ(Here(sum(x)), "tensor(100000.)");
}

TEST_F(TwoDevicesTest, ACallWithTensorsOfBothIsRefused) {
  const Tensor x = tensor({1., 2.});
  const Outcome o = try_call("add", To(x, "opencl"), To(x, "skeleton"));
  EXPECT_EQ(o.code, ErrorCode::kInvalidArgument);
  EXPECT_NE(o.message.find("opencl:0"), o.message.npos) << o.message;
  EXPECT_NE(o.message.find("skeleton:0"), o.message.npos) << o.message;
}

TEST_F(TwoDevicesTest, NumbersOfTheHostMeetBoth) {
  const Tensor number = tensor(5.);
  for (const char* device : {"opencl", "skeleton"})
    EXPECT_EQ(Here(add(To(tensor({1., 2.}), device), number)), "tensor([6., 7.])");
}

TEST_F(TwoDevicesTest, OneIsUnloadedWhileTheOtherIsInUse) {
  const Tensor x = There(tensor({1., 2.}));
  Unload("skeleton");
  EXPECT_EQ(Here(add(x, x)), "tensor([2., 4.])");
  Load("external/skeleton/libskeleton.so");
  EXPECT_EQ(Here(To(x, "skeleton")), "tensor([1., 2.])");
}

}  // namespace
}  // namespace opencl
