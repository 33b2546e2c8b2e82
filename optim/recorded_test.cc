// Optimisers, schedules and clipping against the numbers that PyTorch gave (record.py).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/literal.h"
#include "switchyard/ops.h"
#include "switchyard/optim/adam.h"
#include "switchyard/optim/clip_grad.h"
#include "switchyard/optim/schedules.h"
#include "switchyard/optim/sgd.h"

namespace sy::optim {
namespace {

constexpr int kSteps = 6, kEpochs = 24;

const std::vector<double>& Recorded(const std::string& name) {
  static const auto all = [] {
    std::map<std::string, std::vector<double>> lines;
    std::ifstream file("optim/recorded.txt");
    for (std::string line; std::getline(file, line);) {
      std::istringstream words(line);
      std::string key;
      words >> key;
      for (double v; words >> v;) lines[key].push_back(v);
    }
    return lines;
  }();
  return all.at(name);
}

std::vector<Tensor> Parameters() {
  const Tensor w = sub(reshape(arange(6., DType::kFloat64), {3, 2}), 2.5);
  const Tensor b = tensor({0.5, -1.5}, DType::kFloat64);
  return {requires_grad_(w), requires_grad_(b)};
}

void SetGradients(TensorList tensors, int step) {
  const NoGrad off;
  for (const Tensor& t : tensors) set_grad(t, sin(add(mul(t, 3), step)));
}

void Expect(const std::string& name, const std::vector<double>& got) {
  const std::vector<double>& want = Recorded(name);
  ASSERT_EQ(got.size(), want.size()) << name;
  for (size_t i = 0; i < want.size(); ++i)
    EXPECT_NEAR(got[i], want[i], 1e-12 * std::max(1.0, std::abs(want[i]))) << name << ", " << i;
}

// The elements of tensors in a row.
std::vector<double> Elements(TensorList tensors) {
  std::vector<double> all;
  for (const Tensor& t : tensors)
    all.insert(all.end(), t.data<double>(), t.data<double>() + t.numel());
  return all;
}

template <class O, class Options>
void RunOptimizer(const std::string& name, const Options& options) {
  const std::vector<Tensor> tensors = Parameters();
  O optimizer(tensors, options);
  for (int step = 0; step < kSteps; ++step) {
    SetGradients(tensors, step);
    optimizer.step();
    Expect(name + "." + std::to_string(step), Elements(tensors));
  }
}

TEST(Recorded, StochasticGradientDescent) {
  const auto run = [](const char* name, const SGDOptions& o) { RunOptimizer<SGD>(name, o); };
  run("sgd", {.lr = 0.1});
  run("sgd_decay", {.lr = 0.1, .weight_decay = 0.2});
  run("sgd_momentum", {.lr = 0.1, .momentum = 0.9});
  run("sgd_dampening", {.lr = 0.1, .momentum = 0.9, .dampening = 0.4, .weight_decay = 0.1});
  run("sgd_nesterov", {.lr = 0.1, .momentum = 0.8, .weight_decay = 0.1, .nesterov = true});
  run("sgd_maximize", {.lr = 0.1, .momentum = 0.8, .maximize = true});
}

TEST(Recorded, AdamAndAdamW) {
  const auto adam = [](const char* name, const AdamOptions& o) { RunOptimizer<Adam>(name, o); };
  adam("adam", {});
  adam("adam_all", {.lr = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-6, .weight_decay = 0.1});
  adam("adam_amsgrad", {.lr = 0.1, .beta1 = 0.5, .beta2 = 0.6, .amsgrad = true});
  adam("adam_maximize", {.lr = 0.1, .weight_decay = 0.1, .maximize = true});
  const auto adamw = [](const char* name, const AdamWOptions& o) { RunOptimizer<AdamW>(name, o); };
  adamw("adamw", {});
  adamw("adamw_all", {.lr = 0.05, .beta1 = 0.8, .beta2 = 0.95, .eps = 1e-6, .weight_decay = 0.5});
  adamw("adamw_amsgrad", {.lr = 0.1, .beta1 = 0.5, .beta2 = 0.6, .amsgrad = true});
  adamw("adamw_maximize", {.lr = 0.1, .maximize = true});
}

TEST(Recorded, GroupsOfWhichOneHasGradientsLater) {
  const std::vector<Tensor> t = Parameters();
  SGD optimizer({t[0]}, {.lr = 0.1, .momentum = 0.9});
  optimizer.add_param_group({t[1]}, {.lr = 0.3, .momentum = 0.5});
  for (int step = 0; step < kSteps; ++step) {
    SetGradients(TensorList(t).first(step >= 2 ? 2 : 1), step);
    optimizer.step();
    Expect("groups." + std::to_string(step), Elements(t));
  }
}

// make: what steps the schedules that it makes.
void RunSchedule(const std::string& name,
                 const std::function<std::function<void()>(Optimizer&)>& make) {
  const std::vector<Tensor> t = Parameters();
  SGD optimizer({t[0]}, {.lr = 0.1, .momentum = 0.9});
  optimizer.add_param_group({t[1]}, {.lr = 0.05, .momentum = 0.9});
  const std::function<void()> step = make(optimizer);
  for (int epoch = 0; epoch < kEpochs; ++epoch) {
    Expect(name + "." + std::to_string(epoch),
           {optimizer.lr(0), optimizer.momentum(0), optimizer.lr(1), optimizer.momentum(1)});
    step();
  }
}
template <class S, class Options>
void RunOne(const std::string& name, const Options& options) {
  RunSchedule(name, [&](Optimizer& o) {
    return [schedule = std::make_shared<S>(o, options)] { schedule->step(); };
  });
}

TEST(Recorded, Schedules) {
  RunOne<StepLR>("step", StepLR::Options{.step_size = 3, .gamma = 0.5});
  RunOne<MultiStepLR>("multi_step", MultiStepLR::Options{.milestones = {2, 5, 5, 9}, .gamma = 0.3});
  RunOne<ExponentialLR>("exponential", ExponentialLR::Options{.gamma = 0.8});
  RunOne<CosineAnnealingLR>("cosine", CosineAnnealingLR::Options{.T_max = 8, .eta_min = 0.01});
  RunOne<LinearLR>("linear",
                   LinearLR::Options{.start_factor = 0.25, .end_factor = 0.75, .total_iters = 6});
  RunOne<LambdaLR>("lambda", [](int64_t epoch) { return 1. / static_cast<double>(1 + epoch); });
  RunOne<OneCycleLR>("one_cycle", OneCycleLR::Options{.max_lr = {0.5, 1.0}, .total_steps = 24});
  RunOne<OneCycleLR>("one_cycle_line", OneCycleLR::Options{.max_lr = {0.5},
                                                           .total_steps = 24,
                                                           .pct_start = 0.25,
                                                           .linear = true,
                                                           .cycle_momentum = false,
                                                           .div_factor = 10});
  RunOne<OneCycleLR>("one_cycle_three", OneCycleLR::Options{.max_lr = {0.5},
                                                            .total_steps = 24,
                                                            .base_momentum = 0.7,
                                                            .max_momentum = 0.9,
                                                            .final_div_factor = 100,
                                                            .three_phase = true});
}

TEST(Recorded, SchedulesInSequenceAndAtOnce) {
  RunSchedule("warm_up", [](Optimizer& o) {
    const auto warm =
        std::make_shared<LinearLR>(o, LinearLR::Options{.start_factor = 0.1, .total_iters = 5});
    const auto fall = std::make_shared<CosineAnnealingLR>(
        o, CosineAnnealingLR::Options{.T_max = 10, .eta_min = 0.01});
    const auto rest = std::make_shared<ExponentialLR>(o, ExponentialLR::Options{.gamma = 0.9});
    const auto all = std::make_shared<SequentialLR>(
        o, std::vector<Schedule*>{warm.get(), fall.get(), rest.get()}, std::vector<int64_t>{5, 15});
    return [all, warm, fall, rest] { all->step(); };
  });
  RunSchedule("both", [](Optimizer& o) {
    const auto warm =
        std::make_shared<LinearLR>(o, LinearLR::Options{.start_factor = 0.5, .total_iters = 4});
    const auto fall = std::make_shared<ExponentialLR>(o, ExponentialLR::Options{.gamma = 0.9});
    return [=] {
      warm->step();
      fall->step();
    };
  });
}

TEST(Recorded, ClippedGradients) {
  const std::map<std::string, double> kinds = {
      {"two", 2}, {"one", 1}, {"three", 3}, {"largest", std::numeric_limits<double>::infinity()}};
  for (const auto& [kind, p] : kinds) {
    for (const auto& [text, bound] : std::map<std::string, double>{{"0.5", 0.5}, {"100", 100}}) {
      const std::vector<Tensor> t = Parameters();
      SetGradients(t, 0);
      const Tensor norm = clip_grad_norm_(t, bound, p);
      Expect("norm_" + kind + "." + text,
             Elements(std::vector<Tensor>{norm, grad_of(t[0]), grad_of(t[1])}));
    }
  }
  const std::vector<Tensor> t = Parameters();
  SetGradients(t, 0);
  clip_grad_value_(t, 0.25);
  Expect("value", Elements(std::vector<Tensor>{grad_of(t[0]), grad_of(t[1])}));
}

}  // namespace
}  // namespace sy::optim
