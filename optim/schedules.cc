#include "switchyard/optim/schedules.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::optim {

namespace {

constexpr double kPi = std::numbers::pi;

template <class T>
void Require(bool holds, const char* schedule, const char* option, const char* expected, T got) {
  if (!holds)
    Fail(ErrorCode::kInvalidArgument, schedule, {option, ": expected ", expected, ", got ", got});
}

std::string SchedulePrefix(size_t k) { return "schedulers." + std::to_string(k) + "."; }

}  // namespace

Schedule::Schedule(Optimizer& optimizer) : optimizer_(optimizer) {
  for (size_t g = 0; g < optimizer.num_groups(); ++g)
    optimizer.set_initial_lr(optimizer.initial_lr(g), g);
}
Schedule::~Schedule() = default;

void Schedule::Apply() {
  for (size_t g = 0; g < optimizer_.num_groups(); ++g) {
    optimizer_.set_lr(Rate(g, optimizer_.lr(g), optimizer_.initial_lr(g)), g);
    ApplyMore(g);
  }
}

void Schedule::step() {
  ++epoch_;
  Apply();
}

void Schedule::restart() {
  epoch_ = 0;
  for (size_t g = 0; g < optimizer_.num_groups(); ++g)
    optimizer_.set_lr(optimizer_.initial_lr(g), g);
  Apply();
}

std::vector<double> Schedule::get_last_lr() const {
  std::vector<double> rates;
  for (size_t g = 0; g < optimizer_.num_groups(); ++g) rates.push_back(optimizer_.lr(g));
  return rates;
}

NamedTensors Schedule::state_dict() const {
  return {{"last_epoch", scalar_tensor(epoch_, DType::kInt64)}};
}

void Schedule::load_state_dict(const NamedTensors& state) {
  const Tensor epoch = Find(state, "last_epoch");
  if (!epoch.defined() || epoch.numel() != 1)
    Fail(ErrorCode::kInvalidArgument, "Schedule", {"the state has no number last_epoch"});
  epoch_ = item(epoch).To<int64_t>();
}

// --- StepLR, MultiStepLR, ExponentialLR.

StepLR::StepLR(Optimizer& optimizer, const Options& options) : Schedule(optimizer), o_(options) {
  Require(o_.step_size >= 1, "StepLR", "step_size", "1 or more", o_.step_size);
  Begin();
}
double StepLR::Rate(size_t, double lr, double) const {
  return last_epoch() == 0 || last_epoch() % o_.step_size != 0 ? lr : lr * o_.gamma;
}

MultiStepLR::MultiStepLR(Optimizer& optimizer, const Options& options)
    : Schedule(optimizer), o_(options) {
  Begin();
}
double MultiStepLR::Rate(size_t, double lr, double) const {
  const auto times = std::count(o_.milestones.begin(), o_.milestones.end(), last_epoch());
  return times == 0 ? lr : lr * std::pow(o_.gamma, static_cast<double>(times));
}

ExponentialLR::ExponentialLR(Optimizer& optimizer, const Options& options)
    : Schedule(optimizer), o_(options) {
  Begin();
}
double ExponentialLR::Rate(size_t, double lr, double) const {
  return last_epoch() == 0 ? lr : lr * o_.gamma;
}

// --- CosineAnnealingLR, LinearLR, LambdaLR.

CosineAnnealingLR::CosineAnnealingLR(Optimizer& optimizer, const Options& options)
    : Schedule(optimizer), o_(options) {
  Require(o_.T_max >= 1, "CosineAnnealingLR", "T_max", "1 or more", o_.T_max);
  Begin();
}
double CosineAnnealingLR::Rate(size_t, double lr, double initial) const {
  const int64_t epoch = last_epoch();
  if (epoch == 0) return lr;
  const auto half = static_cast<double>(o_.T_max);
  // Behind the lowest rate the quotient below is none: 0 / 0.
  if ((epoch - 1 - o_.T_max) % (2 * o_.T_max) == 0)
    return lr + (initial - o_.eta_min) * (1 - std::cos(kPi / half)) / 2;
  const double now = 1 + std::cos(kPi * static_cast<double>(epoch) / half);
  const double before = 1 + std::cos(kPi * static_cast<double>(epoch - 1) / half);
  return now / before * (lr - o_.eta_min) + o_.eta_min;
}

LinearLR::LinearLR(Optimizer& optimizer, const Options& options)
    : Schedule(optimizer), o_(options) {
  Require(o_.start_factor > 0 && o_.start_factor <= 1, "LinearLR", "start_factor",
          "above 0 and up to 1", o_.start_factor);
  Require(o_.end_factor >= 0 && o_.end_factor <= 1, "LinearLR", "end_factor", "0 to 1",
          o_.end_factor);
  Require(o_.total_iters >= 1, "LinearLR", "total_iters", "1 or more", o_.total_iters);
  Begin();
}
double LinearLR::Rate(size_t, double lr, double) const {
  const int64_t epoch = last_epoch();
  if (epoch == 0) return lr * o_.start_factor;
  if (epoch > o_.total_iters) return lr;
  const double rise = o_.end_factor - o_.start_factor;
  return lr * (1 + rise / (static_cast<double>(o_.total_iters) * o_.start_factor +
                           static_cast<double>(epoch - 1) * rise));
}

LambdaLR::LambdaLR(Optimizer& optimizer, std::function<double(int64_t)> factor)
    : Schedule(optimizer), factor_(std::move(factor)) {
  Begin();
}
double LambdaLR::Rate(size_t, double, double initial) const {
  return initial * factor_(last_epoch());
}

// --- OneCycleLR.

OneCycleLR::OneCycleLR(Optimizer& optimizer, const Options& options)
    : Schedule(optimizer), o_(options) {
  Require(o_.total_steps >= 1, "OneCycleLR", "total_steps", "1 or more", o_.total_steps);
  Require(o_.pct_start >= 0 && o_.pct_start <= 1, "OneCycleLR", "pct_start", "0 to 1",
          o_.pct_start);
  Require(o_.div_factor > 0, "OneCycleLR", "div_factor", "above 0", o_.div_factor);
  Require(o_.final_div_factor > 0, "OneCycleLR", "final_div_factor", "above 0",
          o_.final_div_factor);
  Require(o_.max_lr.size() == 1 || o_.max_lr.size() == optimizer.num_groups(), "OneCycleLR",
          "max_lr", "one rate, or one a group", o_.max_lr.size());
  for (size_t g = 0; g < optimizer.num_groups(); ++g)
    optimizer.set_initial_lr(MaxLr(g) / o_.div_factor, g);
  Begin();
}

OneCycleLR::Place OneCycleLR::PlaceOf(double max_lr) const {
  const double start = max_lr / o_.div_factor, end = start / o_.final_div_factor;
  const double low = o_.base_momentum, high = o_.max_momentum;
  const auto total = static_cast<double>(o_.total_steps), step = static_cast<double>(last_epoch());
  const double up = o_.pct_start * total - 1, last = total - 1;
  if (step <= up) return {start, max_lr, high, low, step / up};
  if (!o_.three_phase) return {max_lr, end, low, high, (step - up) / (last - up)};
  const double down = 2 * o_.pct_start * total - 2;
  if (step <= down) return {max_lr, start, low, high, (step - up) / (down - up)};
  return {start, end, high, high, (step - down) / (last - down)};
}

double OneCycleLR::Between(double from, double to, double part) const {
  if (o_.linear) return (to - from) * part + from;
  return to + (from - to) / 2 * (std::cos(kPi * part) + 1);
}

double OneCycleLR::Rate(size_t group, double, double) const {
  Require(last_epoch() <= o_.total_steps, "OneCycleLR", "step", "no more steps than total_steps",
          last_epoch());
  const Place p = PlaceOf(MaxLr(group));
  return Between(p.from_lr, p.to_lr, p.part);
}

void OneCycleLR::ApplyMore(size_t group) {
  if (!o_.cycle_momentum) return;
  const Place p = PlaceOf(MaxLr(group));
  optimizer().set_momentum(Between(p.from_momentum, p.to_momentum, p.part), group);
}

// --- SequentialLR.

SequentialLR::SequentialLR(Optimizer& optimizer, std::vector<Schedule*> schedules,
                           std::vector<int64_t> milestones)
    : Schedule(optimizer), schedules_(std::move(schedules)), milestones_(std::move(milestones)) {
  Require(!schedules_.empty(), "SequentialLR", "schedules", "one or more", schedules_.size());
  Require(milestones_.size() + 1 == schedules_.size(), "SequentialLR", "milestones",
          "one less than schedules", milestones_.size());
  Require(std::is_sorted(milestones_.begin(), milestones_.end()), "SequentialLR", "milestones",
          "rising epochs", "others");
  restart();
}

void SequentialLR::step() {
  set_last_epoch(last_epoch() + 1);
  const auto next = std::upper_bound(milestones_.begin(), milestones_.end(), last_epoch());
  Schedule& current = *schedules_[static_cast<size_t>(next - milestones_.begin())];
  if (next != milestones_.begin() && next[-1] == last_epoch()) {
    current.restart();
  } else {
    current.step();
  }
}

void SequentialLR::restart() {
  set_last_epoch(0);
  schedules_[0]->restart();
}

double SequentialLR::Rate(size_t, double lr, double) const { return lr; }

NamedTensors SequentialLR::state_dict() const {
  NamedTensors state = Schedule::state_dict();
  for (size_t k = 0; k < schedules_.size(); ++k)
    Append(state, SchedulePrefix(k), schedules_[k]->state_dict());
  return state;
}

void SequentialLR::load_state_dict(const NamedTensors& state) {
  Schedule::load_state_dict(state);
  for (size_t k = 0; k < schedules_.size(); ++k)
    schedules_[k]->load_state_dict(WithPrefix(state, SchedulePrefix(k)));
}

}  // namespace sy::optim
