// Stochastic gradient descent.
//
//   optim::SGD optimizer(network.parameters(), {.lr = 0.1, .momentum = 0.9, .nesterov = true});
//   optimizer.add_param_group({head}, {.lr = 0.01});   // options of its own
//
// With g the gradient, negative to maximize, plus weight_decay times the parameter p:
//
//   buffer ← g at first, then momentum buffer + (1 - dampening) g
//   p      ← p - lr buffer; with nesterov p - lr (g + momentum buffer); without momentum p - lr g
//
// Source: torch.optim.SGD.
// Owns, Threads, Errors: those of optim/optimizer.h.
#ifndef SWITCHYARD_OPTIM_SGD_H_
#define SWITCHYARD_OPTIM_SGD_H_

#include <deque>
#include <vector>

#include "switchyard/optim/optimizer.h"

namespace sy::optim {

struct SGDOptions {
  double lr = 1e-3;         // 0 or more
  double momentum = 0;      // 0 or more; 0 keeps nothing
  double dampening = 0;     // of what is added to the buffer
  double weight_decay = 0;  // 0 or more
  bool nesterov = false;    // needs momentum, and no dampening
  bool maximize = false;    // up instead of down
};

class SY_API SGD : public Optimizer {
 public:
  explicit SGD(std::vector<Tensor> parameters, const SGDOptions& options = {});
  // Another group.
  void add_param_group(std::vector<Tensor> parameters, const SGDOptions& options);
  // Of a group; what is changed counts from the next step on.
  SGDOptions& options(size_t group = 0) { return options_.at(group); }
  void step() override;

 private:
  std::deque<SGDOptions> options_;  // which stay where they are
};

}  // namespace sy::optim

#endif  // SWITCHYARD_OPTIM_SGD_H_
