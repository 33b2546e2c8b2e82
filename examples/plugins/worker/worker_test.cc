// The worker as a program uses it: work is queued, errors come late, unloading joins its threads.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/plugin/load.h"

namespace {

using namespace sy;

const std::string kFolder = std::filesystem::absolute("examples/plugins/worker").string();

class WorkerTest : public ::testing::Test {
 protected:
  void SetUp() override { load_plugin("worker", {.directories = {kFolder}}); }
  void TearDown() override { ASSERT_EQ(unload_plugin("worker").text, "unloaded"); }

  static Device Worker() { return ParseDevice("worker"); }
  static Tensor There(const Tensor& t) { return to(t, std::nullopt, std::nullopt, Worker()); }
  static std::string Here(const Tensor& t) {
    return ToString(to(t, std::nullopt, std::nullopt, Device{kHost}));
  }
};

TEST_F(WorkerTest, ComputesInOrder) {
  const Tensor a = There(tensor({{1., 2.}, {3., 4.}})), b = There(tensor({10., 20.}));
  Tensor sum = add(a, b, 2);
  mul_(sum, t(a));
  EXPECT_EQ(Here(sum), "tensor([[ 21., 126.],\n        [ 46., 176.]])");
}

TEST_F(WorkerTest, KeepsANumberUntilItsTurnComes) {
  const Tensor ones = There(sy::ones({1000, 1000}));
  Tensor x = ones;
  for (int i = 0; i < 5; ++i) x = add(x, ones);  // so that the next waits
  {
    Tensor number = tensor(0.5);
    x = mul(x, number);
    fill_(number, -1);
  }
  EXPECT_EQ(Here(select(x, 0, 0)).substr(0, 15), "tensor([3., 3.,");
}

TEST_F(WorkerTest, FillsAndConverts) {
  Tensor x = There(tensor({1, 2}));
  fill_(x, 7);
  EXPECT_EQ(Here(to(x, DType::kFloat64)), "tensor([7., 7.], dtype=torch.float64)");
}

TEST_F(WorkerTest, AnEventSaysWhenWorkIsDone) {
  const Tensor x = There(tensor({1., 2.}));
  const Tensor y = add(x, x);
  const Event event = CurrentStream(Worker()).RecordEvent();
  event.Synchronize();
  EXPECT_TRUE(event.Query());
}

TEST_F(WorkerTest, AnErrorComesLateWithTheOperatorsName) {
  const Stream stream = Stream::New(Worker());
  const StreamGuard guard(stream);
  const Tensor x = There(tensor({4., -1.}));
  const Tensor root = call("worker::checked_sqrt", x).tensor();  // no error yet
  try {
    stream.Synchronize();
    FAIL() << "expected an error";
  } catch (const Error& e) {
    EXPECT_NE(e.message().find("x has a negative element"), std::string::npos) << e.message();
    EXPECT_NE(e.message().find("worker::checked_sqrt"), std::string::npos) << e.message();
  }
}

TEST_F(WorkerTest, DoesNotWorkInTheChildOfAFork) {
  const Tensor x = There(tensor({1., 2.}));
  const pid_t child = fork();
  if (child == 0) {
    try {
      add(x, x);
    } catch (const Error& e) {
      _exit(e.message().find("fork") != std::string::npos ? 0 : 2);
    }
    _exit(1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
