// Backward on streams: on a device whose work is really done later.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/function.h"
#include "switchyard/core/accelerator.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/transfer.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "switchyard/plugin/testing.h"

namespace sy {
namespace {

using testing::PluginPath;

Device Queued() { return ParseDevice("queued:0"); }

// Twice its input, by a kernel that is queued; so is its gradient.
struct Doubled : Function {
  static std::vector<Tensor> Forward(FunctionContext&, TensorList x) {
    return {call("queued::twice", x[0]).take()};
  }
  static std::vector<Tensor> Backward(FunctionContext&, TensorList grads) {
    ran_on = CurrentStream(Queued());
    return {call("queued::twice", grads[0]).take()};
  }
  static Stream ran_on;
};
Stream Doubled::ran_on;

class BackwardStreamsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    setenv("SWITCHYARD_PLUGIN_CACHING", "1", 1);  // with a sanitizer too
    load_plugin(PluginPath("queued"));
  }
  void TearDown() override {
    Doubled::ran_on = Stream();
    EXPECT_EQ(unload_plugin("queued").text, "unloaded");
    unsetenv("SWITCHYARD_PLUGIN_CACHING");
  }
  static Tensor There(std::initializer_list<TensorLiteral> values) {
    return FromHost(tensor(values), Queued());
  }
  static std::string Here(const Tensor& t) { return ToString(ToHost(t)); }
  // The stream stops until Open.
  static void Hold(const Stream& s) {
    const StreamGuard on(s);
    call("queued::hold", Tensor::Empty({1}, DType::kFloat32, Queued()));
  }
  static void Open() { call("queued::open", tensor({1.})); }
  static Tensor DoubledOn(const Stream& s, const Tensor& x) {
    const StreamGuard on(s);
    return Apply<Doubled>({x})[0];
  }
};

TEST_F(BackwardStreamsTest, ANodeRunsWhereItsCallRanAndTheCallersStreamWaits) {
  const Stream side = Stream::New(Queued());
  const Tensor x = requires_grad_(There({1., 2.})), g = There({1., 10.});
  const Tensor y = DoubledOn(side, x);
  Hold(side);
  backward(y, g);  // returns, though nothing of it can have run
  EXPECT_TRUE(Doubled::ran_on == side);
  EXPECT_TRUE(CurrentStream(Queued()) == DefaultStream(Queued()));
  EXPECT_FALSE(CurrentStream(Queued()).Query());
  Open();
  EXPECT_EQ(Here(grad_of(x)), "tensor([ 2., 20.])");
}

TEST_F(BackwardStreamsTest, TheDefaultStreamIsAStreamLikeOthers) {
  const Stream side = Stream::New(Queued()), callers = Stream::New(Queued());
  const Tensor x = requires_grad_(There({1., 2.}));
  const Tensor y = DoubledOn(DefaultStream(Queued()), x);
  const StreamGuard on(callers);
  const Tensor g = There({3., 4.});
  backward(y, g);
  EXPECT_TRUE(Doubled::ran_on == DefaultStream(Queued()));
  EXPECT_TRUE(CurrentStream(Queued()) == callers);
  EXPECT_EQ(Here(grad_of(x)), "tensor([6., 8.])");
}

TEST_F(BackwardStreamsTest, GradientsOfSeveralStreamsAreAddedWhenAllAreThere) {
  const Stream first = Stream::New(Queued()), second = Stream::New(Queued());
  const Tensor x = requires_grad_(There({1., 2.})), g = There({1., 10.});
  const Tensor y = DoubledOn(first, x), z = DoubledOn(second, x);
  Hold(second);
  backward(std::vector<Tensor>{y, z}, std::vector<Tensor>{g, g});
  EXPECT_FALSE(CurrentStream(Queued()).Query());
  Open();
  EXPECT_EQ(Here(grad_of(x)), "tensor([ 4., 40.])");
}

TEST_F(BackwardStreamsTest, HooksAndOperatorsToo) {
  const Stream side = Stream::New(Queued());
  const Tensor x = requires_grad_(There({1., 2.})), g = There({1., 10.});
  Stream of_sum, of_leaf;
  Tensor y;
  {
    const StreamGuard on(side);
    y = add(x, x);
    register_hook(y, [&](const Tensor&) {
      of_sum = CurrentStream(Queued());
      return Tensor();
    });
  }
  register_hook(x, [&](const Tensor&) {
    of_leaf = CurrentStream(Queued());
    return Tensor();
  });
  const std::vector<Tensor> of_x = grad({&y, 1}, {&x, 1}, {&g, 1});
  EXPECT_TRUE(of_sum == side);
  EXPECT_TRUE(of_leaf == DefaultStream(Queued()));
  EXPECT_EQ(Here(of_x[0]), "tensor([ 2., 20.])");
  of_sum = of_leaf = Stream();
}

}  // namespace
}  // namespace sy
