#include "switchyard/optim/adam.h"

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/ops.h"

namespace sy::optim {

namespace {

enum Kept { kStep, kAverage, kSquare, kLargest };

}  // namespace

template <bool kDecoupled>
AdamOf<kDecoupled>::AdamOf(std::vector<Tensor> parameters, const Options& options)
    : Optimizer(kDecoupled ? "AdamW" : "Adam", {{.name = "step", .is_number = true},
                                                {.name = "exp_avg"},
                                                {.name = "exp_avg_sq"},
                                                {.name = "max_exp_avg_sq", .optional = true}}) {
  add_param_group(std::move(parameters), options);
}

template <bool kDecoupled>
void AdamOf<kDecoupled>::add_param_group(std::vector<Tensor> parameters, const Options& options) {
  // Written so that nan is refused.
  if (!(options.lr >= 0)) FailOption("lr", "0 or more", options.lr);
  if (!(options.beta1 >= 0 && options.beta1 < 1))
    FailOption("beta1", "0 or more and below 1", options.beta1);
  if (!(options.beta2 >= 0 && options.beta2 < 1))
    FailOption("beta2", "0 or more and below 1", options.beta2);
  if (!(options.eps >= 0)) FailOption("eps", "0 or more", options.eps);
  if (!(options.weight_decay >= 0)) FailOption("weight_decay", "0 or more", options.weight_decay);
  Options& o = options_.emplace_back(options);
  try {
    AddGroup(std::move(parameters), {{"lr", &o.lr},
                                     {"beta1", &o.beta1},
                                     {"beta2", &o.beta2},
                                     {"eps", &o.eps},
                                     {"weight_decay", &o.weight_decay},
                                     {"amsgrad", nullptr, &o.amsgrad},
                                     {"maximize", nullptr, &o.maximize}});
  } catch (...) {
    options_.pop_back();
    throw;
  }
}

template <bool kDecoupled>
void AdamOf<kDecoupled>::step() {
  const NoGrad off;
  for (size_t i = 0; i < num_groups(); ++i) {
    const Options& o = options_[i];
    const auto make = [](size_t k, const Tensor& p) {
      return k == kStep ? zeros({}, {.dtype = DType::kFloat32, .device = p.device()})
                        : zeros_like(p);
    };
    for (Batch& b : Batches(i, o.amsgrad ? 4 : 3, make)) {
      _foreach_add_(b.kept[kStep], 1);
      const std::vector<Tensor> largest = o.amsgrad ? b.kept[kLargest] : std::vector<Tensor>();
      const auto fused = [](const auto&... a) {
        kDecoupled ? _fused_adamw_(a...) : _fused_adam_(a...);
      };
      fused(b.parameters, b.grads, b.kept[kAverage], b.kept[kSquare], largest, b.kept[kStep], o.lr,
            o.beta1, o.beta2, o.weight_decay, o.eps, o.amsgrad, o.maximize);
    }
  }
}

template class AdamOf<false>;
template class AdamOf<true>;

}  // namespace sy::optim
