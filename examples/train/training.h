// A training of the network on digits: a step at a time, kept in files and gone on from.
//
//   Training training({.epochs = 4});
//   while (!training.done()) training.Step();
//   training.Accuracy();      // of digits that it was not trained on
//   training.Save("run");     // Load("run") goes on where this one was
//
// In a world of several ranks (switchyard/collective/group.h) each rank takes its part of every
// batch, and gradients are averaged: the losses are those of one process, but for rounding. So are
// they with sharded tensors (Plan::sharded), where the same steps are written for the whole batch.
//
// Which digits a step takes depends on the seed and the step alone, so that what goes on from files
// ends where an uninterrupted training ends, bit by bit.
// Owns: the network, its optimiser and schedule, the digits.
// Threads: one at a time.
// Errors: those of operators and of optim/state.h.
#ifndef EXAMPLES_TRAIN_TRAINING_H_
#define EXAMPLES_TRAIN_TRAINING_H_

#include <memory>
#include <string>
#include <vector>

#include "examples/train/digits.h"
#include "examples/train/network.h"
#include "switchyard/collective/data_parallel.h"
#include "switchyard/collective/sharded/sharded.h"
#include "switchyard/optim/schedules.h"
#include "switchyard/optim/sgd.h"

namespace train {

struct Plan {
  int64_t epochs = 4, digits = 2048, batch = 32;
  double max_lr = 0.1;
  uint64_t seed = 0;
  // In a world of several ranks: the batch's examples in parts, and where the ranks make a grid,
  // the last layer's classes along its other dimension (switchyard/collective/sharded/sharded.h).
  bool sharded = false;
};

class Training {
 public:
  explicit Training(const Plan& plan);
  // One batch, of all ranks; its loss before the step.
  double Step();
  int64_t steps() const { return static_cast<int64_t>(losses_.size()); }
  int64_t all_steps() const { return plan_.epochs * plan_.digits / plan_.batch; }
  bool done() const { return steps() >= all_steps(); }
  // Of each step so far.
  const std::vector<double>& losses() const { return losses_; }
  // 0 … 1.
  double Accuracy() const;
  // Of several ranks rank 0 alone writes; all return when it has.
  void Save(const std::string& folder) const;
  // Of a training with the same plan.
  void Load(const std::string& folder);

 private:
  Digits Batch() const;

  Plan plan_;
  sy::sharded::MeshRef mesh_;  // null unless tensors are sharded
  int rank_ = 0, ranks_ = 1;
  Digits seen_, unseen_;
  Network network_;
  sy::optim::SGD optimizer_;
  sy::optim::OneCycleLR schedule_;
  std::unique_ptr<sy::collective::DataParallel> parallel_;  // null in one process
  std::vector<double> losses_;
};

}  // namespace train

#endif  // EXAMPLES_TRAIN_TRAINING_H_
