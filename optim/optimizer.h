// What optimisers have in common: groups of parameters with options of their own, what is kept from
// step to step, and both as tensors by name.
//
//   optim::SGD optimizer({w, b}, {.lr = 0.1, .momentum = 0.9});
//   for (…) {
//     optimizer.zero_grad();
//     backward(loss(…));
//     optimizer.step();
//   }
//
// Names, options, defaults and numbers are torch.optim's. A step is one call of a fused operator
// (ops/foreach) for all parameters of a group that have one dtype and device.
// Owns: references on its parameters, and what is kept for them.
// Threads: one at a time.
// Errors: kInvalidArgument for options out of their range, no parameters, one that is no leaf or is
// there already; what operators say.
#ifndef SWITCHYARD_OPTIM_OPTIMIZER_H_
#define SWITCHYARD_OPTIM_OPTIMIZER_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "switchyard/core/key_word.h"
#include "switchyard/core/tensor.h"
#include "switchyard/optim/state.h"

namespace sy::optim {

// The base of all. Groups are counted from 0, in the order in which they were added.
class SY_API Optimizer {
 public:
  virtual ~Optimizer();
  Optimizer(const Optimizer&) = delete;
  Optimizer& operator=(const Optimizer&) = delete;

  // Writes every parameter that has a gradient; others are passed over.
  virtual void step() = 0;
  // The gradients of all parameters are undefined afterwards.
  void zero_grad();

  size_t num_groups() const { return groups_.size(); }
  // In the order in which they were given.
  const std::vector<Tensor>& parameters(size_t group = 0) const;

  // The learning rate of a group: what schedules write.
  double lr(size_t group = 0) const { return *group_at(group).lr; }
  void set_lr(double lr, size_t group = 0) { *group_at(group).lr = lr; }
  // SGD's momentum, Adam's beta1.
  double momentum(size_t group = 0) const { return *group_at(group).momentum; }
  void set_momentum(double momentum, size_t group = 0) { *group_at(group).momentum = momentum; }
  // The rate before the first schedule changed it: the current one where there was none.
  double initial_lr(size_t group = 0) const;
  void set_initial_lr(double lr, size_t group = 0) { group_at(group).initial_lr = lr; }

  // "param_groups.G.NAME", the options of each group (float64[] and bool[]); "state.P.NAME", what
  // is kept for the P-th parameter, counted through all groups. Shares its tensors.
  NamedTensors state_dict() const;
  // Options and what is kept become those of `state`, which is copied to where parameters lie. The
  // optimiser must have as many groups and parameters. Errors: kInvalidArgument for names that are
  // missing or that it has no use for, and for other sizes; then nothing has changed.
  void load_state_dict(const NamedTensors& state);

 protected:
  // An option of a group, by its name: a number, or a switch. Lives as long as the optimiser.
  struct Setting {
    const char* name;
    double* number = nullptr;
    bool* on = nullptr;
  };
  // What is kept for a parameter: a tensor like it, or one number.
  struct Kept {
    const char* name;
    bool is_number = false;
    bool optional = false;  // others are all there, or none
  };
  // kept: in the order in which Batch has them. Names are literals.
  Optimizer(const char* name, std::vector<Kept> kept);

  // settings: begin with lr; one is called "momentum" or "beta1".
  void AddGroup(std::vector<Tensor> parameters, std::vector<Setting> settings);
  // Refuses an option of this optimiser. expected: "0 or more".
  [[noreturn]] void FailOption(const char* option, const char* expected, double got) const;

  // Parameters of a group that have gradients, as fused operators take them: of one dtype and
  // device, and for all of them, or for none, something was kept before.
  struct Batch {
    KeyWord place;
    bool first;
    std::vector<Tensor> parameters, grads;
    std::vector<std::vector<Tensor>> kept;  // [kept][parameter]
  };
  // count: how many of what may be kept are needed now; make: the k-th, where it is not there.
  std::vector<Batch> Batches(size_t group, size_t count,
                             const std::function<Tensor(size_t k, const Tensor&)>& make);

 private:
  struct Group {
    std::vector<Tensor> parameters;
    std::vector<std::vector<Tensor>> kept;  // [parameter][kept]: the first so many
    std::vector<Setting> settings;
    double* lr;
    double* momentum;
    std::optional<double> initial_lr;
  };
  const Group& group_at(size_t group) const;
  Group& group_at(size_t group);

  const char* name_;
  std::vector<Kept> kept_;
  std::vector<Group> groups_;
};

}  // namespace sy::optim

#endif  // SWITCHYARD_OPTIM_OPTIMIZER_H_
