// Operators of every kind against differences: lists, several results, views, writes, composites.
#include <gtest/gtest.h>

#include <functional>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/autograd/testing.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

Tensor T() { return to(tensor({{0.5, 1.5, -0.7}, {2.0, 0.3, 0.9}}), DType::kFloat64); }

// First and second derivatives; nothing is left afterwards.
void C(const char* what, const std::function<Tensor(TensorList)>& f,
       const std::vector<Tensor>& in) {
  SCOPED_TRACE(what);
  const GradFunction g = [&](TensorList x) { return std::vector<Tensor>{f(x)}; };
  EXPECT_NO_THROW(GradCheck(g, in));
  EXPECT_NO_THROW(GradGradCheck(g, in));
  EXPECT_EQ(LiveNodes(), 0);
}

TEST(Semantics, Kinds) {
  C("cat",
    [](TensorList x) {
      std::vector<Tensor> l = {mul(x[0], x[0]), zeros({2, 1}, DType::kFloat64), x[1]};
      return mul(cat(l, 1), 2);
    },
    {T(), add(T(), 1)});
  C("max", [](TensorList x) { return mul(std::get<0>(max(mul(x[0], x[0]), 1)), 3); }, {T()});
  C("square", [](TensorList x) { return square(x[0]); }, {T()});
  C("div", [](TensorList x) { return div(x[0], 3); }, {T()});
  C("div_",
    [](TensorList x) {
      Tensor y = mul(x[0], 1);
      div_(y, x[1]);
      div_(y, 2);
      return y;
    },
    {T(), add(T(), 3)});
  C("rdiv", [](TensorList x) { return div(x[0], x[1]); }, {T(), add(T(), 3)});
  C("split",
    [](TensorList x) {
      auto p = split(x[0], 1, 0);
      return mul(p[0], p[1]);
    },
    {T()});
  C("unbind",
    [](TensorList x) {
      auto p = unbind(x[0], 1);
      return mul(p[0], p[2]);
    },
    {T()});
  C("stack",
    [](TensorList x) {
      std::vector<Tensor> l = {x[0], mul(x[0], x[1])};
      return stack(l, 1);
    },
    {T(), T()});
  C("unfold",
    [](TensorList x) {
      Tensor u = unfold(x[0], 1, 2, 1);
      return mul(u, u);
    },
    {T()});
  C("squeeze_",
    [](TensorList x) {
      Tensor y = mul(unsqueeze(x[0], 0), 2);
      squeeze_(y);
      mul_(y, x[0]);
      return y;
    },
    {T()});
  C("diag_embed", [](TensorList x) { return call("diag_embed", x[0]).take(); }, {T()});
  C("pixel",
    [](TensorList x) {
      return pixel_shuffle(reshape(cat(x, 0), {4, 3, 1}), 2);
    },
    {T(), T()});
}

TEST(Semantics, BodiesAndWrites) {
  C("as_strided_scatter",
    [](TensorList x) { return as_strided_scatter(x[0], select(x[1], 0, 1), {3}, {2}, 0); },
    {T(), T()});
  C("slice_scatter by body",
    [](TensorList x) {
      Tensor y = clone(x[0]);
      copy_(slice(y, 1, 0, 2), slice(x[1], 1, 1, 3));
      return mul(y, y);
    },
    {T(), T()});
  C("broadcast in place",
    [](TensorList x) {
      Tensor y = mul(x[0], 1);
      add_(y, select(x[1], 0, 0));
      return y;
    },
    {T(), T()});
  C("twice",
    [](TensorList x) {
      Tensor y = mul(x[0], x[0]);
      return add(y, y);
    },
    {T()});
}

TEST(Semantics, ListsAreNotWritten) {
  const std::vector<Tensor> l = {requires_grad_(T())};
  EXPECT_THROW(call("_foreach_add_", l, 1), Error);
  const NoGrad off;
  EXPECT_NO_THROW(call("_foreach_add_", l, 1));
}

TEST(Semantics, AWriteEndsTheHistory) {
  const Tensor x = requires_grad_(T());
  const Tensor y = mul(x, 2);
  copy_(y, T());
  EXPECT_TRUE(requires_grad(y));
  backward(sum(y));
  const Tensor z = mul(x, 2);
  zero_(z);
  EXPECT_TRUE(requires_grad(z));
}

TEST(Semantics, Inputs) {
  const Tensor x = requires_grad_(T()), u = requires_grad_(T());
  EXPECT_THROW(grad({&x, 1}, {&u, 1}), Error);
  const Tensor s = sum(x);
  EXPECT_FALSE(grad({&s, 1}, {&u, 1}, {}, {.allow_unused = true})[0].defined());
  const Tensor y = sum(mul(x, u));
  backward(y, {}, {.inputs = {&u, 1}});
  EXPECT_FALSE(grad_of(x).defined());
  EXPECT_TRUE(grad_of(u).defined());
}

}  // namespace
}  // namespace sy
