#include "examples/own_layer/taint.h"

#include <gtest/gtest.h>

#include "switchyard/core/literal.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"

namespace demo {
namespace {

TEST(TaintTest, WhatIsComputedFromAMarkedTensorIsMarked) {
  Taint taint;
  const sy::Tensor secret = sy::tensor({1., 2.}), open = sy::tensor({3., 4.});
  taint.Mark(secret, "salary");
  EXPECT_TRUE(taint.IsMarked(sy::add(open, sy::mul(secret, 2))));
  EXPECT_FALSE(taint.IsMarked(sy::add(open, open)));
  EXPECT_TRUE(taint.IsMarked(sy::call("matmul", open, secret).take()));
}

TEST(TaintTest, AResultSaysWhyItIsMarked) {
  Taint taint;
  const sy::Tensor secret = sy::tensor({1., 2.});
  taint.Mark(secret, "salary");
  EXPECT_EQ(taint.ReasonOf(sy::mul(sy::neg(secret), secret)), "salary, neg, mul.Tensor");
  EXPECT_EQ(taint.ReasonOf(sy::tensor({1., 2.})), "");
}

TEST(TaintTest, ListsAndViewsAreMarked) {
  Taint taint;
  const sy::Tensor secret = sy::tensor({1., 2.});
  taint.Mark(secret, "salary");
  for (const sy::Tensor& t : sy::unbind(secret)) EXPECT_TRUE(taint.IsMarked(t));
  EXPECT_TRUE(taint.IsMarked(sy::unsqueeze(secret, 0)));
}

TEST(TaintTest, WhatIsWrittenFromAMarkedTensorIsMarked) {
  Taint taint;
  const sy::Tensor secret = sy::tensor({1., 2.}), sum = sy::zeros({2});
  taint.Mark(secret, "salary");
  sy::add_(sum, secret);
  EXPECT_TRUE(taint.IsMarked(sum));
}

TEST(TaintTest, AClearedTensorIsLikeAnyOther) {
  Taint taint;
  const sy::Tensor t = sy::tensor({1., 2.});
  taint.Mark(t, "salary");
  taint.Clear(t);
  EXPECT_FALSE(taint.IsMarked(sy::add(t, 1)));
}

}  // namespace
}  // namespace demo
