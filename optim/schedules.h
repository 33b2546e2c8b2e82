// Schedules of an optimiser's learning rate. One is made after its optimiser, sets the first rate
// then, and is stepped once an epoch, or once a batch, behind the optimiser.
//
//   optim::CosineAnnealingLR schedule(optimizer, {.T_max = epochs});
//   for (int64_t epoch = 0; epoch < epochs; ++epoch) {
//     Train(optimizer);
//     schedule.step();
//   }
//
// Warm up, then fall:
//
//   optim::LinearLR warm(optimizer, {.start_factor = 0.1, .total_iters = 100});
//   optim::CosineAnnealingLR fall(optimizer, {.T_max = 900});
//   optim::SequentialLR schedule(optimizer, {&warm, &fall}, {100});
//
// Names, options and formulas are torch.optim.lr_scheduler's: each rate follows from the one
// before, so that several schedules of one optimiser, all of them stepped, multiply. `initial` is
// the rate before the first schedule.
// Owns: nothing: optimisers and schedules that are given live longer.
// Threads: one at a time.
// Errors: kInvalidArgument for options out of their range.
#ifndef SWITCHYARD_OPTIM_SCHEDULES_H_
#define SWITCHYARD_OPTIM_SCHEDULES_H_

#include <cstdint>
#include <functional>
#include <vector>

#include "switchyard/optim/optimizer.h"
#include "switchyard/optim/state.h"

namespace sy::optim {

// The base of all.
class SY_API Schedule {
 public:
  virtual ~Schedule();
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  // The rates of the next epoch.
  virtual void step();
  // The rates of epoch 0, from the initial ones.
  virtual void restart();
  // Epochs so far: 0 before the first step.
  int64_t last_epoch() const { return epoch_; }
  // The current rates, one a group.
  std::vector<double> get_last_lr() const;

  // "last_epoch", int64[]. Rates are in the optimiser's state, which is loaded too.
  virtual NamedTensors state_dict() const;
  // Errors: kInvalidArgument where last_epoch is missing.
  virtual void load_state_dict(const NamedTensors& state);

 protected:
  // Notes the optimiser's rates as the initial ones, where no schedule did before.
  explicit Schedule(Optimizer& optimizer);
  // What derived classes end their constructors with.
  void Begin() { Apply(); }
  // A group's rate in last_epoch(), from the one before; in epoch 0 from the current one.
  virtual double Rate(size_t group, double lr, double initial) const = 0;
  // What is set beside the rate.
  virtual void ApplyMore(size_t /*group*/) {}
  Optimizer& optimizer() const { return optimizer_; }
  void set_last_epoch(int64_t epoch) { epoch_ = epoch; }

 private:
  void Apply();

  Optimizer& optimizer_;
  int64_t epoch_ = 0;
};

// gamma times the rate every step_size epochs.
class SY_API StepLR final : public Schedule {
 public:
  struct Options {
    int64_t step_size;   // 1 or more
    double gamma = 0.1;  // factor
  };
  StepLR(Optimizer& optimizer, const Options& options);

 private:
  double Rate(size_t group, double lr, double initial) const override;
  Options o_;
};

// gamma times the rate at each milestone; at one that is named twice, twice.
class SY_API MultiStepLR final : public Schedule {
 public:
  struct Options {
    std::vector<int64_t> milestones;  // epochs
    double gamma = 0.1;               // factor
  };
  MultiStepLR(Optimizer& optimizer, const Options& options);

 private:
  double Rate(size_t group, double lr, double initial) const override;
  Options o_;
};

// gamma times the rate every epoch.
class SY_API ExponentialLR final : public Schedule {
 public:
  struct Options {
    double gamma;  // factor
  };
  ExponentialLR(Optimizer& optimizer, const Options& options);

 private:
  double Rate(size_t group, double lr, double initial) const override;
  Options o_;
};

// Down to eta_min along half a cosine of T_max epochs, then up again.
class SY_API CosineAnnealingLR final : public Schedule {
 public:
  struct Options {
    int64_t T_max;       // 1 or more
    double eta_min = 0;  // the lowest rate
  };
  CosineAnnealingLR(Optimizer& optimizer, const Options& options);

 private:
  double Rate(size_t group, double lr, double initial) const override;
  Options o_;
};

// From start_factor times the rate to end_factor times it along a line of total_iters epochs; the
// same from then on.
class SY_API LinearLR final : public Schedule {
 public:
  struct Options {
    double start_factor = 1.0 / 3;  // above 0, up to 1
    double end_factor = 1;          // 0 … 1
    int64_t total_iters = 5;        // 1 or more
  };
  LinearLR(Optimizer& optimizer, const Options& options);

 private:
  double Rate(size_t group, double lr, double initial) const override;
  Options o_;
};

// A factor of the initial rate by a function of the epoch.
class SY_API LambdaLR final : public Schedule {
 public:
  LambdaLR(Optimizer& optimizer, std::function<double(int64_t epoch)> factor);

 private:
  double Rate(size_t group, double lr, double initial) const override;
  std::function<double(int64_t)> factor_;
};

// Up from max_lr / div_factor to max_lr within pct_start of all steps, then down to that start
// divided by final_div_factor; the momentum goes the other way. It is stepped once a batch.
class SY_API OneCycleLR final : public Schedule {
 public:
  struct Options {
    std::vector<double> max_lr;     // one, or one a group
    int64_t total_steps;            // 1 or more
    double pct_start = 0.3;         // 0 … 1
    bool linear = false;            // along lines instead of cosines: anneal_strategy
    bool cycle_momentum = true;     // SGD's momentum, Adam's beta1
    double base_momentum = 0.85;    // where the rate is max_lr
    double max_momentum = 0.95;     // at both ends
    double div_factor = 25;         // above 0
    double final_div_factor = 1e4;  // above 0
    bool three_phase = false;       // down to the start as long as up, then further
  };
  OneCycleLR(Optimizer& optimizer, const Options& options);

 private:
  // Where a step lies: between which rates and momentums, and how far, 0 … 1.
  struct Place {
    double from_lr, to_lr, from_momentum, to_momentum, part;
  };
  Place PlaceOf(double max_lr) const;
  double MaxLr(size_t group) const { return o_.max_lr[o_.max_lr.size() == 1 ? 0 : group]; }
  double Between(double from, double to, double part) const;
  double Rate(size_t group, double lr, double initial) const override;
  void ApplyMore(size_t group) override;
  Options o_;
};

// One schedule after the other: the next one begins, from the initial rate, at its milestone.
class SY_API SequentialLR final : public Schedule {
 public:
  // schedules: of this optimiser, stepped by this one alone; milestones: rising epochs, one less.
  SequentialLR(Optimizer& optimizer, std::vector<Schedule*> schedules,
               std::vector<int64_t> milestones);
  void step() override;
  void restart() override;
  // Those of its schedules too, as "schedulers.K.last_epoch".
  NamedTensors state_dict() const override;
  void load_state_dict(const NamedTensors& state) override;

 private:
  double Rate(size_t group, double lr, double initial) const override;
  std::vector<Schedule*> schedules_;
  std::vector<int64_t> milestones_;
};

}  // namespace sy::optim

#endif  // SWITCHYARD_OPTIM_SCHEDULES_H_
