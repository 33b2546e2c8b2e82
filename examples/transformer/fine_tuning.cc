#include "examples/transformer/fine_tuning.h"

#include <vector>

#include "switchyard/autograd/autograd.h"
#include "switchyard/ops.h"
#include "switchyard/optim/clip_grad.h"

namespace transformer {

using sy::Tensor;

namespace {

// Those that are matrices, which decay, or the others.
std::vector<Tensor> Parameters(const Encoder& encoder, bool matrices) {
  std::vector<Tensor> some;
  for (const auto& [name, t] : encoder.state_dict()) {
    if ((t.dim() == 2) == matrices) some.push_back(sy::requires_grad_(t));
  }
  return some;
}

// What does not decay becomes a second group, before schedules note the rates.
sy::optim::AdamW& WithOthers(sy::optim::AdamW& optimizer, const Encoder& encoder, double lr) {
  optimizer.add_param_group(Parameters(encoder, false), {.lr = lr, .weight_decay = 0});
  return optimizer;
}

}  // namespace

FineTuning::FineTuning(const Encoder& encoder, const FineTuningOptions& o)
    : encoder_(encoder),
      options_(o),
      optimizer_(Parameters(encoder, true), {.lr = o.lr, .weight_decay = o.weight_decay}),
      warm_(WithOthers(optimizer_, encoder, o.lr), {.start_factor = 0.1, .total_iters = o.warm_up}),
      fall_(optimizer_, {.T_max = o.steps - o.warm_up}),
      schedule_(optimizer_, {&warm_, &fall_}, {o.warm_up}) {}

double FineTuning::Step(const Tensor& left, const Tensor& right) {
  optimizer_.zero_grad();
  const Tensor cosines = sy::matmul(encoder_(left), sy::t(encoder_(right)));
  const Tensor loss =
      sy::cross_entropy_loss(sy::mul(cosines, options_.sharpness), sy::arange(left.size(0)));
  sy::backward(loss);
  std::vector<Tensor> all = optimizer_.parameters(0);
  all.insert(all.end(), optimizer_.parameters(1).begin(), optimizer_.parameters(1).end());
  sy::optim::clip_grad_norm_(all, 1.0);
  optimizer_.step();
  schedule_.step();
  return loss.item<double>();
}

}  // namespace transformer
