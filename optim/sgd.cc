#include "switchyard/optim/sgd.h"

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::optim {

SGD::SGD(std::vector<Tensor> parameters, const SGDOptions& options)
    : Optimizer("SGD", {{"momentum_buffer"}}) {
  add_param_group(std::move(parameters), options);
}

void SGD::add_param_group(std::vector<Tensor> parameters, const SGDOptions& options) {
  // Written so that nan is refused.
  if (!(options.lr >= 0)) FailOption("lr", "0 or more", options.lr);
  if (!(options.momentum >= 0)) FailOption("momentum", "0 or more", options.momentum);
  if (!(options.weight_decay >= 0)) FailOption("weight_decay", "0 or more", options.weight_decay);
  if (options.nesterov && options.momentum == 0)
    FailOption("momentum", "more than 0, for nesterov", options.momentum);
  if (options.nesterov && options.dampening != 0)
    FailOption("dampening", "0, for nesterov", options.dampening);
  SGDOptions& o = options_.emplace_back(options);
  try {
    AddGroup(std::move(parameters), {{"lr", &o.lr},
                                     {"momentum", &o.momentum},
                                     {"dampening", &o.dampening},
                                     {"weight_decay", &o.weight_decay},
                                     {"nesterov", nullptr, &o.nesterov},
                                     {"maximize", nullptr, &o.maximize}});
  } catch (...) {
    options_.pop_back();
    throw;
  }
}

void SGD::step() {
  const NoGrad off;
  for (size_t i = 0; i < num_groups(); ++i) {
    const SGDOptions& o = options_[i];
    const size_t count = o.momentum == 0 ? 0 : 1;
    for (Batch& b : Batches(i, count, [](size_t, const Tensor& p) { return empty_like(p); })) {
      _fused_sgd_(b.parameters, b.grads, count == 0 ? std::vector<Tensor>() : b.kept[0],
                  o.weight_decay, o.momentum, o.lr, o.dampening, o.nesterov, o.maximize,
                  /*is_first_step=*/count != 0 && b.first);
    }
  }
}

}  // namespace sy::optim
