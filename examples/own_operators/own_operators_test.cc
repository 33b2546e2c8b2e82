#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/handle.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

// A typed call of an operator that the generated API does not know.
constinit Handle<Tensor(const Tensor&, double)> rms_norm{"demo::rms_norm"};

TEST(OwnOperatorsTest, AreCalledByString) {
  const Tensor x = tensor({{3., 4.}, {6., 8.}});
  EXPECT_EQ(ToString(call("demo::rms_norm", x).tensor()),
            "tensor([[0.8485, 1.1314],\n        [0.8485, 1.1314]])");
}

TEST(OwnOperatorsTest, AreCalledThroughATypedHandle) {
  EXPECT_EQ(ToString(rms_norm(tensor({3., 4.}), 0.)), "tensor([0.8485, 1.1314])");
}

TEST(OwnOperatorsTest, WriteIntoOut) {
  const Tensor x = tensor({{3., 4.}, {6., 8.}}), out = zeros({2, 2});
  call("demo::rms_norm.out", transpose(x, 0, 1), kw("out", transpose(out, 0, 1)));
  EXPECT_EQ(ToString(out), "tensor([[0.6325, 0.6325],\n        [1.2649, 1.2649]])");
}

TEST(OwnOperatorsTest, SayWhatIsWrong) {
  const Outcome o = try_call("demo::rms_norm", tensor({1, 2}));
  EXPECT_EQ(o.code, ErrorCode::kNotImplemented);
  EXPECT_NE(o.message.find("demo::rms_norm"), std::string::npos) << o.message;
  EXPECT_NE(o.message.find("int64"), std::string::npos) << o.message;
}

TEST(OwnOperatorsTest, RunOnMetaThroughTheirShape) {
  const Tensor x = empty({2, 3}, std::nullopt, std::nullopt, ParseDevice("meta"));
  EXPECT_EQ(ToString(call("demo::rms_norm", x).tensor()),
            "tensor(..., device='meta', size=(2, 3))");
}

TEST(OwnOperatorsTest, PointwiseOnesHaveAllForms) {
  const Tensor x = tensor({0., 0.25, 1.});
  EXPECT_EQ(ToString(call("demo::smoothstep", x).tensor()), "tensor([0.0000, 0.1562, 1.0000])");
  call("demo::smoothstep_", x);
  EXPECT_EQ(ToString(x), "tensor([0.0000, 0.1562, 1.0000])");
}

TEST(OwnOperatorsTest, CompositesRunWhereTheirPartsDo) {
  const Tensor gate = tensor({-1., 0., 2.}), up = tensor({1., 1., 2.});
  EXPECT_EQ(ToString(call("demo::silu_gate", gate, up).tensor()),
            "tensor([-0.2689,  0.0000,  3.5232])");
}

}  // namespace
}  // namespace sy
