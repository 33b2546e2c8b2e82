// Adam, and AdamW, whose weight decay does not pass through the moments.
//
//   optim::AdamW optimizer(network.parameters(), {.lr = 3e-4, .weight_decay = 0.1});
//
// With g the gradient, negative to maximize, of Adam plus weight_decay times the parameter p, in
// step t:
//
//   p ← p - lr weight_decay p                             of AdamW
//   m ← beta1 m + (1 - beta1) g,  v ← beta2 v + (1 - beta2) g²
//   p ← p - lr (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + eps)
//
// with, for amsgrad, the largest v so far in its place. Kept are "step", "exp_avg" (m),
// "exp_avg_sq" (v) and, for amsgrad, "max_exp_avg_sq".
// Source: torch.optim.Adam, torch.optim.AdamW.
// Owns, Threads, Errors: those of optim/optimizer.h.
#ifndef SWITCHYARD_OPTIM_ADAM_H_
#define SWITCHYARD_OPTIM_ADAM_H_

#include <deque>
#include <vector>

#include "switchyard/optim/optimizer.h"

namespace sy::optim {

template <bool kDecoupled>
struct AdamOptionsOf {
  double lr = 1e-3;                               // 0 or more
  double beta1 = 0.9, beta2 = 0.999;              // 0 or more, below 1
  double eps = 1e-8;                              // 0 or more
  double weight_decay = kDecoupled ? 1e-2 : 0.0;  // 0 or more
  bool amsgrad = false;                           // the largest v so far instead of the last
  bool maximize = false;                          // up instead of down
};
using AdamOptions = AdamOptionsOf<false>;
using AdamWOptions = AdamOptionsOf<true>;

template <bool kDecoupled>
class SY_API AdamOf : public Optimizer {
 public:
  using Options = AdamOptionsOf<kDecoupled>;

  explicit AdamOf(std::vector<Tensor> parameters, const Options& options = {});
  // Another group.
  void add_param_group(std::vector<Tensor> parameters, const Options& options);
  // Of a group; what is changed counts from the next step on.
  Options& options(size_t group = 0) { return options_.at(group); }
  void step() override;

 private:
  std::deque<Options> options_;  // which stay where they are
};
extern template class AdamOf<false>;
extern template class AdamOf<true>;

using Adam = AdamOf<false>;
using AdamW = AdamOf<true>;

}  // namespace sy::optim

#endif  // SWITCHYARD_OPTIM_ADAM_H_
