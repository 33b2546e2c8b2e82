// What optimisers do with parameters, groups and states, and what they refuse.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/testing.h"
#include "switchyard/ops.h"
#include "switchyard/optim/adam.h"
#include "switchyard/optim/clip_grad.h"
#include "switchyard/optim/schedules.h"
#include "switchyard/optim/sgd.h"

namespace sy::optim {
namespace {

Tensor Leaf(const Tensor& t) { return requires_grad_(t); }

TEST(Optimizer, AParameterWithoutGradientIsLeftAlone) {
  const Tensor a = Leaf(ones({2})), b = Leaf(ones({2}));
  Adam optimizer({a, b}, {.lr = 0.1});
  set_grad(a, ones({2}));
  optimizer.step();
  EXPECT_NEAR(a.at<float>(0), 0.9, 1e-6);
  EXPECT_EQ(b.at<float>(0), 1);
  EXPECT_FALSE(Find(optimizer.state_dict(), "state.1.step").defined());
}

TEST(Optimizer, ZeroGradLeavesNone) {
  const Tensor a = Leaf(ones({2}));
  SGD optimizer({a});
  set_grad(a, ones({2}));
  optimizer.zero_grad();
  EXPECT_FALSE(grad_of(a).defined());
}

TEST(Optimizer, ParametersOfSeveralDTypesAndLayoutsAreStepped) {
  const Tensor a = Leaf(ones({2, 3})), b = Leaf(ones({4}, DType::kFloat64)),
               c = Leaf(t(ones({2, 3})));
  Adam optimizer({a, b, c}, {.lr = 0.1});
  for (const Tensor& p : {a, b, c}) set_grad(p, ones_like(p));
  optimizer.step();
  for (const Tensor& p : {a, b, c})
    EXPECT_TRUE(allclose(p, full_like(p, 0.9), 1e-6, 1e-6)) << Name(p.dtype());
}

TEST(Optimizer, AStepIsNotRecorded) {
  const Tensor a = Leaf(ones({2}));
  SGD optimizer({a}, {.lr = 0.5});
  set_grad(a, ones({2}));
  optimizer.step();
  EXPECT_TRUE(is_leaf(a));
  EXPECT_EQ(a.at<float>(1), 0.5f);
}

// Steps from a state go where steps without interruption go.
template <class O, class Options>
void ExpectGoesOn(const Options& options) {
  const Tensor a = Leaf(ones({3}));
  O straight({a}, options);
  NamedTensors state;
  Tensor middle;
  for (int i = 0; i < 6; ++i) {
    if (i == 3) {
      middle = detach(clone(a));
      for (const auto& [name, t] : straight.state_dict()) state.emplace_back(name, clone(t));
    }
    const NoGrad off;
    set_grad(a, sin(add(mul(a, 3), i)));
    straight.step();
  }
  const Tensor b = Leaf(middle);
  O resumed({b}, Options{});
  resumed.load_state_dict(state);
  for (int i = 3; i < 6; ++i) {
    const NoGrad off;
    set_grad(b, sin(add(mul(b, 3), i)));
    resumed.step();
  }
  EXPECT_TRUE(equal(a, b));
}

TEST(Optimizer, AStateIsGoneOnFrom) {
  ExpectGoesOn<SGD>(SGDOptions{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.1, .nesterov = true});
  ExpectGoesOn<Adam>(AdamOptions{.lr = 0.1, .amsgrad = true});
  ExpectGoesOn<AdamW>(AdamWOptions{.lr = 0.1, .maximize = true});
}

TEST(Optimizer, AStateThatDoesNotFitIsRefusedAndNothingChanges) {
  const Tensor a = Leaf(ones({3}));
  Adam optimizer({a}, {.lr = 0.25});
  set_grad(a, ones({3}));
  optimizer.step();
  NamedTensors state = optimizer.state_dict();
  const auto without = [&](const std::string& name) {
    NamedTensors some;
    for (const auto& pair : state) {
      if (pair.first != name) some.push_back(pair);
    }
    return some;
  };
  Adam other({Leaf(ones({3}))}, {.lr = 0.5});
  EXPECT_EQ(MessageOf([&] { other.load_state_dict(without("param_groups.0.eps")); }),
            "Adam(): the state has no param_groups.0.eps");
  EXPECT_EQ(MessageOf([&] { other.load_state_dict(without("state.0.exp_avg_sq")); }),
            "Adam(): the state has no state.0.exp_avg_sq");
  state.emplace_back("state.1.step", ones({}));
  EXPECT_EQ(MessageOf([&] { other.load_state_dict(state); }),
            "Adam(): the state has state.1.step, which no group or parameter here has");
  Adam small({Leaf(ones({2}))});
  EXPECT_EQ(MessageOf([&] { small.load_state_dict(without("state.1.step")); }),
            "Adam(): state.0.exp_avg: expected sizes [2], got [3]");
  EXPECT_EQ(other.lr(), 0.5);
}

TEST(Optimizer, WhatIsNoParameterIsRefused) {
  const Tensor a = Leaf(ones({2}));
  EXPECT_EQ(MessageOf([&] { SGD({}); }), "SGD(): expected parameters, got none");
  EXPECT_EQ(MessageOf([&] { SGD({a, a}); }), "SGD(): parameter 1 is there already");
  EXPECT_EQ(MessageOf([&] { SGD({mul(a, 2)}); }),
            "SGD(): parameter 0: expected a leaf, got what an operator made");
  SGD optimizer({a});
  EXPECT_EQ(MessageOf([&] { optimizer.add_param_group({a}, {}); }),
            "SGD(): parameter 0 is there already");
  EXPECT_EQ(optimizer.num_groups(), 1u);
}

TEST(Optimizer, OptionsOutOfRangeAreRefused) {
  const Tensor a = Leaf(ones({2}));
  EXPECT_EQ(MessageOf([&] { SGD({a}, {.lr = -1}); }), "SGD(): lr: expected 0 or more, got -1");
  EXPECT_EQ(MessageOf([&] { SGD({a}, {.nesterov = true}); }),
            "SGD(): momentum: expected more than 0, for nesterov, got 0");
  EXPECT_EQ(MessageOf([&] { Adam({a}, {.beta1 = 1}); }),
            "Adam(): beta1: expected 0 or more and below 1, got 1");
  EXPECT_EQ(MessageOf([&] { AdamW({a}, {.eps = std::nan("")}); }),
            "AdamW(): eps: expected 0 or more, got nan");
  SGD optimizer({a});
  EXPECT_EQ(MessageOf([&] { LinearLR(optimizer, {.start_factor = 0}); }),
            "LinearLR(): start_factor: expected above 0 and up to 1, got 0");
  EXPECT_EQ(MessageOf([&] { StepLR(optimizer, {.step_size = 0}); }),
            "StepLR(): step_size: expected 1 or more, got 0");
}

TEST(Schedule, IsGoneOnFromItsStateAndTheOptimizers) {
  const Tensor a = Leaf(ones({2}));
  const auto rates = [&](int stop_at) {
    SGD optimizer({a}, {.lr = 0.1});
    LinearLR warm(optimizer, {.start_factor = 0.1, .total_iters = 3});
    CosineAnnealingLR fall(optimizer, {.T_max = 6});
    SequentialLR schedule(optimizer, {&warm, &fall}, {3});
    std::vector<double> all;
    int epoch = 0;
    for (; epoch < stop_at; ++epoch) {
      all.push_back(optimizer.lr());
      schedule.step();
    }
    SGD other({a}, {.lr = 0.1});
    LinearLR other_warm(other, {.start_factor = 0.1, .total_iters = 3});
    CosineAnnealingLR other_fall(other, {.T_max = 6});
    SequentialLR other_schedule(other, {&other_warm, &other_fall}, {3});
    other.load_state_dict(optimizer.state_dict());
    other_schedule.load_state_dict(schedule.state_dict());
    for (; epoch < 9; ++epoch) {
      all.push_back(other.lr());
      other_schedule.step();
    }
    return all;
  };
  EXPECT_EQ(rates(9), rates(2));
  EXPECT_EQ(rates(9), rates(5));
}

TEST(Schedule, OneCycleEndsWithItsSteps) {
  SGD optimizer({Leaf(ones({2}))});
  OneCycleLR schedule(optimizer, {.max_lr = {0.1}, .total_steps = 3});
  for (int i = 0; i < 3; ++i) schedule.step();
  EXPECT_THROW(schedule.step(), Error);
}

TEST(ClipGrad, WithoutGradientsTheNormIsZero) {
  const std::vector<Tensor> t = {Leaf(ones({2}))};
  EXPECT_EQ(item(clip_grad_norm_(t, 1)).To<double>(), 0);
}

TEST(ClipGrad, GradientsOfSeveralDTypesAreOneVector) {
  const std::vector<Tensor> t = {Leaf(ones({2})), Leaf(ones({2}, DType::kFloat64))};
  set_grad(t[0], tensor({3., 0.}));
  set_grad(t[1], tensor({0., 4.}, DType::kFloat64));
  EXPECT_NEAR(item(clip_grad_norm_(t, 1)).To<double>(), 5, 1e-6);
  EXPECT_NEAR(grad_of(t[0]).at<float>(0), 0.6, 1e-6);
  EXPECT_NEAR(grad_of(t[1]).at<double>(1), 0.8, 1e-6);
}

TEST(ClipGrad, ANormThatIsNotFiniteIsRefusedWhereAsked) {
  const std::vector<Tensor> t = {Leaf(ones({2}))};
  set_grad(t[0], full({2}, std::numeric_limits<double>::infinity(), DType::kFloat32));
  EXPECT_NO_THROW(clip_grad_norm_(t, 1));
  EXPECT_THROW(clip_grad_norm_(t, 1, 2, /*error_if_nonfinite=*/true), Error);
}

}  // namespace
}  // namespace sy::optim
